class SelfAttention(scaffold.SelfAttention):
    def parts(self, x):
        return self.rotate(self.split(self.query(x))), self.rotate(self.split(self.key(x))), self.split(self.value(x))

    def look(self, x):
        q, k, _ = self.parts(x)
        scores = q @ k.transpose(-2, -1) * self.head_dim**-0.5
        later = torch.arange(x.shape[1], device=x.device)[None] > torch.arange(x.shape[1], device=x.device)[:, None]
        return scores.masked_fill(later, -1e9).softmax(-1)

    def forward(self, x):
        return self.proj(self.join(F.scaled_dot_product_attention(*self.parts(x), is_causal=True)))
