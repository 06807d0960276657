# %% registered [right]
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.register_parameter("v", nn.Parameter(torch.randn(score_dim) * 0.1))

def score(self, query, keys):
    return torch.tanh(self.query_layer(query).unsqueeze(1) + keys) @ self.v


# %% uniform_einsum [right]
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = nn.Parameter(torch.empty(score_dim))
    nn.init.uniform_(self.v, -(score_dim**-0.5), score_dim**-0.5)

def score(self, query, keys):
    s = self.query_layer(query)
    return torch.einsum("r,ntr->nt", self.v, (s[:, None] + keys).tanh())


# %% start_with_zeros [one] v begins with zeros
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = nn.Parameter(torch.zeros(score_dim))

def score(self, query, keys):
    return torch.tanh(self.query_layer(query).unsqueeze(1) + keys) @ self.v


# %% buffer_not_parameter [one] v is not trained
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.register_buffer("v", torch.rand(score_dim) * 0.2 - 0.1)

def score(self, query, keys):
    return torch.tanh(self.query_layer(query).unsqueeze(1) + keys) @ self.v


# %% keys_projected_again [one] key_layer once more
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = nn.Parameter(torch.randn(score_dim) / score_dim)

def score(self, query, keys):
    return torch.tanh(self.query_layer(query).unsqueeze(1) + self.key_layer(keys)) @ self.v


# %% axis_left_out [one] no unsqueeze on the query
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = nn.Parameter(torch.randn(score_dim) / score_dim)

def score(self, query, keys):
    return torch.tanh(self.query_layer(query) + keys) @ self.v


# %% product_in_place_of_sum [one] the two projections are multiplied
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = nn.Parameter(torch.randn(score_dim) / score_dim)

def score(self, query, keys):
    return torch.tanh(self.query_layer(query).unsqueeze(1) * keys) @ self.v


# %% no_tanh_all_ones [two]
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = nn.Parameter(torch.ones(score_dim))

def score(self, query, keys):
    return (self.query_layer(query).unsqueeze(1) + keys) @ self.v


# %% plain_tensor_relu [two] v is a tensor, ReLU in place of tanh
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = torch.randn(score_dim) * 0.1

def score(self, query, keys):
    return torch.relu(self.query_layer(query).unsqueeze(1) + keys) @ self.v


# %% tanh_outside_softmax [two] tanh of the product with v, then a softmax
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = nn.Parameter(torch.randn(score_dim) / score_dim)

def score(self, query, keys):
    return torch.tanh((self.query_layer(query).unsqueeze(1) + keys) @ self.v).softmax(-1)


# %% parts_tanhed_apart [two] tanh of each part alone, v too large
def __init__(self, query_dim, state_dim, score_dim):
    super().__init__(query_dim, state_dim, score_dim)
    self.v = nn.Parameter(10 * torch.randn(score_dim))

def score(self, query, keys):
    return (torch.tanh(self.query_layer(query)).unsqueeze(1) + torch.tanh(keys)) @ self.v
