class GPT(scaffold.GPT):
    def forward(self, letters):
        return nn.Sequential(self.embedding, *self.blocks, self.norm, self.output)(letters)
