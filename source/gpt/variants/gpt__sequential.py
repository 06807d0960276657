class GPT(scaffold.GPT):
    def forward(self, letters):
        return self.output(self.norm(nn.Sequential(*self.blocks)(self.embedding(letters))))
