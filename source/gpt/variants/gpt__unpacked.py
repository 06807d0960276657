class GPT(scaffold.GPT):
    def forward(self, letters):
        stream = self.embedding(letters)
        for i in range(len(self.blocks)):
            stream = self.blocks[i](stream)
        return F.linear(self.norm(stream), self.output.weight)
