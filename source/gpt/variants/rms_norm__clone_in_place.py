class RMSNorm(scaffold.RMSNorm):
    def forward(self, x):
        y = x.clone()
        y /= torch.sqrt(torch.mean(x**2, -1).unsqueeze(-1) + self.epsilon)
        return y.mul(self.gain)
