class Block(scaffold.Block):
    def forward(self, x):
        looked = self.attention(self.norm1(x))
        stream = torch.add(x, looked)
        return torch.add(stream, self.feed_forward(self.norm2(stream)))
