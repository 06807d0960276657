import functools


class GPT(scaffold.GPT):
    def forward(self, letters):
        stream = functools.reduce(lambda x, block: block(x), self.blocks, self.embedding(letters))
        return self.output(self.norm(stream))
