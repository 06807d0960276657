class GPT(scaffold.GPT):
    def forward(self, letters):
        x = self.embedding(letters)
        for i in range(len(self.blocks)):
            x = self.blocks[i](x)
        return F.log_softmax(self.output(self.norm(x)), dim=-1)
