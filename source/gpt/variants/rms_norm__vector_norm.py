class RMSNorm(scaffold.RMSNorm):
    def forward(self, x):
        n = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        return self.gain * x * torch.rsqrt(n.pow(2) / x.size(-1) + self.epsilon)
