class SelfAttention(scaffold.SelfAttention):
    def look(self, x):
        N, S, E = x.shape
        H = self.num_heads
        q = self.rotate(self.query(x).view(N, S, H, E // H).permute(0, 2, 1, 3))
        k = self.rotate(self.key(x).view(N, S, H, E // H).permute(0, 2, 1, 3))
        scores = torch.matmul(q, k.permute(0, 1, 3, 2)) / (E // H) ** 0.5
        mask = torch.triu(torch.ones(S, S, device=x.device), diagonal=1).bool()
        scores[mask.expand_as(scores)] = float("-inf")
        return F.softmax(scores, dim=3)

    def forward(self, x):
        N, S, E = x.shape
        v = self.value(x).view(N, S, self.num_heads, -1).permute(0, 2, 1, 3)
        out = torch.matmul(self.look(x), v).permute(0, 2, 1, 3).contiguous().view(N, S, E)
        return self.proj(out)
