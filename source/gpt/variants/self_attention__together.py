class SelfAttention(scaffold.SelfAttention):
    def look(self, x):
        both = torch.cat([self.split(self.query(x)), self.split(self.key(x))])
        query, key = self.rotate(both).chunk(2)
        scores = torch.matmul(query, key.transpose(-1, -2)) * (1 / self.head_dim**0.5)
        S = scores.size(-1)
        seen = torch.tril(torch.ones(S, S, device=x.device)) == 1
        scores[..., ~seen] = float("-inf")
        return torch.softmax(scores, dim=-1)

    def forward(self, x):
        heads = self.look(x).matmul(self.split(self.value(x)))
        return self.proj(self.join(heads))
