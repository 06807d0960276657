class Block(scaffold.Block):
    def forward(self, x):
        parts = [(self.norm1, self.attention), (self.norm2, self.feed_forward)]
        for norm, part in parts:
            x = torch.stack([x, part(norm(x))]).sum(0)
        return x
