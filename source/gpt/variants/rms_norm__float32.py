class RMSNorm(scaffold.RMSNorm):
    def forward(self, x):
        as_float = x.float()
        rms = torch.sqrt(torch.mean(as_float**2, dim=-1, keepdim=True) + self.epsilon)
        return (as_float / rms).to(x.dtype) * self.gain
