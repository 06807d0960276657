class SelfAttention(scaffold.SelfAttention):
    def look(self, x):
        q, k = self.rotate(self.split(self.query(x))), self.rotate(self.split(self.key(x)))
        S = x.shape[1]
        seen = torch.ones(S, S, device=x.device).tril().bool()
        heads = []
        for h in range(self.num_heads):
            scores = q[:, h] @ k[:, h].transpose(1, 2) / math.sqrt(self.head_dim)
            heads.append(torch.where(seen, scores, -torch.inf).softmax(dim=-1))
        return torch.stack(heads, dim=1)

    def forward(self, x):
        weights, v = self.look(x), self.split(self.value(x))
        return self.proj(torch.cat([weights[:, h] @ v[:, h] for h in range(self.num_heads)], dim=-1))
