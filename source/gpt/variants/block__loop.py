class Block(scaffold.Block):
    def forward(self, x):
        for norm, part in ((self.norm1, self.attention), (self.norm2, self.feed_forward)):
            x = x + part(norm(x))
        return x
