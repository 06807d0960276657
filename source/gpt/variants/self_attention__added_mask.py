class SelfAttention(scaffold.SelfAttention):
    def look(self, x):
        S = x.size(1)
        mask = torch.full((S, S), -math.inf, device=x.device).triu(1)
        query, key = self.rotate(self.split(self.query(x))), self.rotate(self.split(self.key(x)))
        return (query / math.sqrt(self.head_dim) @ key.mT + mask).softmax(-1)

    def forward(self, x):
        return self.proj(self.join(self.look(x) @ self.split(self.value(x))))
