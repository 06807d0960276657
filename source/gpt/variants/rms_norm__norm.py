class RMSNorm(scaffold.RMSNorm):
    def forward(self, x):
        E = x.shape[-1]
        mean_square = x.norm(dim=-1, keepdim=True).square() / E
        return x / (mean_square + self.epsilon) ** 0.5 * self.gain
