class Block(scaffold.Block):
    def forward(self, x):
        found = self.attention(self.norm1(x))
        stream = x + found
        thought = self.feed_forward(self.norm2(stream))
        return stream + thought
