# %% einsum_everywhere [right]
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, 1)
    self.key = nn.Conv1d(in_dim, key_dim, 1)
    self.value = nn.Conv1d(in_dim, out_dim, 1)

def forward(self, x, return_attention=False):
    attention = torch.einsum("ndi,ndj->nij", self.query(x), self.key(x)).softmax(dim=2)
    y = torch.einsum("nij,nej->nei", attention, self.value(x))
    return (y, attention) if return_attention else y


# %% transposed_softmax [right] the table with looked-at positions in the rows, softmax over them
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query, self.key = (nn.Conv1d(in_dim, key_dim, kernel_size=1) for _ in range(2))
    self.value = nn.Conv1d(in_dim, out_dim, kernel_size=1)

def forward(self, x, return_attention=False):
    columns = (self.key(x).mT @ self.query(x)).softmax(dim=1)
    y = self.value(x) @ columns
    if return_attention:
        return y, columns.mT
    return y


# %% scaled_like_transformers [one] divided by sqrt(d)
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, 1)
    self.key = nn.Conv1d(in_dim, key_dim, 1)
    self.value = nn.Conv1d(in_dim, out_dim, 1)

def forward(self, x, return_attention=False):
    q, k, v = self.query(x), self.key(x), self.value(x)
    attention = (q.transpose(1, 2) @ k / math.sqrt(k.shape[1])).softmax(dim=-1)
    y = v @ attention.transpose(1, 2)
    return (y, attention) if return_attention else y


# %% columns_sum_to_one [one] softmax over the positions that look
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, 1)
    self.key = nn.Conv1d(in_dim, key_dim, 1)
    self.value = nn.Conv1d(in_dim, out_dim, 1)

def forward(self, x, return_attention=False):
    q, k, v = self.query(x), self.key(x), self.value(x)
    attention = (q.transpose(1, 2) @ k).softmax(dim=1)
    y = v @ attention.transpose(1, 2)
    return (y, attention) if return_attention else y


# %% table_not_turned [one] V A in place of V A^T
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, 1)
    self.key = nn.Conv1d(in_dim, key_dim, 1)
    self.value = nn.Conv1d(in_dim, out_dim, 1)

def forward(self, x, return_attention=False):
    q, k, v = self.query(x), self.key(x), self.value(x)
    attention = (q.transpose(1, 2) @ k).softmax(dim=-1)
    y = v @ attention
    return (y, attention) if return_attention else y


# %% scores_are_returned [one] the table before the softmax is returned
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, 1)
    self.key = nn.Conv1d(in_dim, key_dim, 1)
    self.value = nn.Conv1d(in_dim, out_dim, 1)

def forward(self, x, return_attention=False):
    q, k, v = self.query(x), self.key(x), self.value(x)
    scores = q.transpose(1, 2) @ k
    y = v @ scores.softmax(dim=-1).transpose(1, 2)
    return (y, scores) if return_attention else y


# %% x_is_added [one] a residual connection
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, 1)
    self.key = nn.Conv1d(in_dim, key_dim, 1)
    self.value = nn.Conv1d(in_dim, out_dim, 1)

def forward(self, x, return_attention=False):
    q, k, v = self.query(x), self.key(x), self.value(x)
    attention = (q.transpose(1, 2) @ k).softmax(dim=-1)
    y = v + v @ attention.transpose(1, 2)
    return (y, attention) if return_attention else y


# %% kernel_of_three [one]
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, 3, padding=1)
    self.key = nn.Conv1d(in_dim, key_dim, 3, padding=1)
    self.value = nn.Conv1d(in_dim, out_dim, 3, padding=1)

def forward(self, x, return_attention=False):
    q, k, v = self.query(x), self.key(x), self.value(x)
    attention = (q.transpose(1, 2) @ k).softmax(dim=-1)
    y = v @ attention.transpose(1, 2)
    return (y, attention) if return_attention else y


# %% scaled_and_over_queries [two]
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, 1)
    self.key = nn.Conv1d(in_dim, key_dim, 1)
    self.value = nn.Conv1d(in_dim, out_dim, 1)

def forward(self, x, return_attention=False):
    q, k, v = self.query(x), self.key(x), self.value(x)
    attention = (q.transpose(1, 2) @ k / q.shape[1] ** 0.5).softmax(dim=1)
    y = v @ attention.transpose(1, 2)
    return (y, attention) if return_attention else y


# %% unbiased_table_not_turned [two] no biases, V A
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, 1, bias=False)
    self.key = nn.Conv1d(in_dim, key_dim, 1, bias=False)
    self.value = nn.Conv1d(in_dim, out_dim, 1, bias=False)

def forward(self, x, return_attention=False):
    q, k, v = self.query(x), self.key(x), self.value(x)
    attention = (q.transpose(1, 2) @ k).softmax(dim=-1)
    y = v @ attention
    return (y, attention) if return_attention else y


# %% relu_weights_x_added [two] ReLU in place of the softmax, values added
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, 1)
    self.key = nn.Conv1d(in_dim, key_dim, 1)
    self.value = nn.Conv1d(in_dim, out_dim, 1)

def forward(self, x, return_attention=False):
    q, k, v = self.query(x), self.key(x), self.value(x)
    attention = torch.relu(q.transpose(1, 2) @ k)
    y = v + v @ attention.transpose(1, 2)
    return (y, attention) if return_attention else y


# %% keys_ask_always_a_pair [two] roles of query and key exchanged, a pair whatever was asked
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, 1)
    self.key = nn.Conv1d(in_dim, key_dim, 1)
    self.value = nn.Conv1d(in_dim, out_dim, 1)

def forward(self, x, return_attention=False):
    q, k, v = self.query(x), self.key(x), self.value(x)
    attention = (k.transpose(1, 2) @ q).softmax(dim=-1)
    return v @ attention.transpose(1, 2), attention
