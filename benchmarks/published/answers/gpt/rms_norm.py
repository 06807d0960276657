# %% by_rsqrt [right]
def forward(self, x):
    return self.gain * x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + self.epsilon)


# %% sum_of_squares [one] the sum in place of the mean
def forward(self, x):
    return self.gain * x / torch.sqrt((x**2).sum(dim=-1, keepdim=True) + self.epsilon)


# %% epsilon_beside_the_root [one]
def forward(self, x):
    return self.gain * x / (x.pow(2).mean(dim=-1, keepdim=True).sqrt() + self.epsilon)


# %% standardised_no_gain [two] mean subtracted, gain forgotten
def forward(self, x):
    x = x - x.mean(-1, keepdim=True)
    return x / torch.sqrt(x.pow(2).mean(-1, keepdim=True) + self.epsilon)
