# %% rsqrt [right]
def forward(self, x):
    return x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + self.epsilon) * self.gain


# %% norm_over_root_of_width [right]
def forward(self, x):
    E = x.shape[-1]
    mean_square = torch.linalg.vector_norm(x, dim=-1, keepdim=True) ** 2 / E
    return self.gain * (x / torch.sqrt(mean_square + self.epsilon))


# %% einsum_of_squares [right]
def forward(self, x):
    total = torch.einsum("...e,...e->...", x, x).unsqueeze(-1)
    root = (total / x.size(-1) + self.epsilon).pow(0.5)
    y = x / root
    y *= self.gain
    return y


# %% epsilon_outside [one] epsilon is added after the root
def forward(self, x):
    return self.gain * x / (x.pow(2).mean(-1, keepdim=True).sqrt() + self.epsilon)


# %% sum_of_squares [one] the sum of squares instead of their mean
def forward(self, x):
    return self.gain * x / torch.sqrt((x**2).sum(dim=-1, keepdim=True) + self.epsilon)


# %% centred_without_gain [two] the mean is subtracted, and the gain is missing
def forward(self, x):
    x = x - x.mean(dim=-1, keepdim=True)
    return x / torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + self.epsilon)


# %% whole_tensor_no_epsilon [two] one mean over all axes, and no epsilon
def forward(self, x):
    return self.gain * x / x.pow(2).mean().sqrt()
