class SelfAttention(scaffold.SelfAttention):
    def look(self, x):
        both = F.linear(x, torch.cat([self.query.weight, self.key.weight]))
        q, k = (self.rotate(self.split(part)) for part in both.chunk(2, dim=-1))
        scores = q @ k.transpose(2, 3) / math.sqrt(self.head_dim)
        S = x.shape[1]
        return scores.masked_fill(~torch.ones(S, S, dtype=torch.bool, device=x.device).tril(), float("-inf")).softmax(-1)

    def forward(self, x):
        return self.proj((self.look(x) @ self.split(self.value(x))).transpose(1, 2).reshape(x.shape))
