class Block(scaffold.Block):
    def forward(self, x):
        stream = x.clone()
        stream = stream + self.attention(self.norm1(x))
        return stream.add(self.feed_forward(self.norm2(stream)))
