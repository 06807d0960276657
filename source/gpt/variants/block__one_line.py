class Block(scaffold.Block):
    def forward(self, x):
        return (y := self.attention(self.norm1(x)) + x) + self.feed_forward(self.norm2(y))
