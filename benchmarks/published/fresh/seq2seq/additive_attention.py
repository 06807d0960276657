# %% uniform_by_init [right]
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = nn.Parameter(torch.empty(score_dim))
    nn.init.uniform_(self.v, -1 / math.sqrt(score_dim), 1 / math.sqrt(score_dim))

def score(self, query, keys):
    hidden = torch.tanh(self.query_layer(query).unsqueeze(1) + keys)
    return hidden @ self.v


# %% small_normal_einsum [right]
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = nn.Parameter(0.1 * torch.randn(score_dim), requires_grad=True)

def score(self, query, keys):
    q = self.query_layer(query)
    return torch.einsum("r,ntr->nt", self.v, torch.tanh(q[:, None, :] + keys))


# %% register_parameter_loop [right]
def __init__(self, query_dim: int, state_dim: int, score_dim: int) -> None:
    super().__init__(query_dim, state_dim, score_dim)
    bound = score_dim**-0.5
    self.register_parameter("v", nn.Parameter((torch.rand(score_dim) * 2 - 1) * bound))

def score(self, query, keys):
    looking_for = self.query_layer(query)
    scores = [(torch.tanh(looking_for + key) * self.v).sum(dim=-1) for key in keys.unbind(dim=1)]
    return torch.stack(scores, dim=-1)


# %% ones [one] v is filled with ones
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = nn.Parameter(torch.ones(score_dim))

def score(self, query, keys):
    return torch.tanh(self.query_layer(query)[:, None] + keys) @ self.v


# %% difference_instead_of_sum [one] the keys are subtracted instead of added
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = nn.Parameter(torch.randn(score_dim) / math.sqrt(score_dim))

def score(self, query, keys):
    return torch.tanh(self.query_layer(query)[:, None] - keys) @ self.v


# %% not_trained [one] v is a plain tensor, so it is not trained
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = (torch.rand(score_dim) - 0.5) / math.sqrt(score_dim)

def score(self, query, keys):
    return torch.tanh(self.query_layer(query)[:, None] + keys) @ self.v


# %% zero_start_no_tanh [two] v is filled with zeros, and tanh is missing
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = nn.Parameter(torch.zeros(score_dim))

def score(self, query, keys):
    return (self.query_layer(query)[:, None] + keys) @ self.v


# %% product_and_softmax [two] query and key are multiplied, and a softmax is applied
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = nn.Parameter(torch.randn(score_dim) * 0.1)

def score(self, query, keys):
    return torch.softmax(torch.tanh(self.query_layer(query)[:, None] * keys) @ self.v, dim=1)
