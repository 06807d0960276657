class RMSNorm(scaffold.RMSNorm):
    def forward(self, x):
        return F.rms_norm(x, x.shape[-1:], self.gain, self.epsilon)
