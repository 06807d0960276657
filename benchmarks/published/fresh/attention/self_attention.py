# %% channels_first_einsum [right]
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.key = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.value = nn.Conv1d(in_dim, out_dim, kernel_size=1)

def forward(self, x, return_attention=False):
    q, k, v = self.query(x), self.key(x), self.value(x)
    attention = torch.einsum("ndi,ndj->nij", q, k).softmax(dim=-1)
    y = torch.einsum("nij,nej->nei", attention, v)
    if return_attention:
        return y, attention
    return y


# %% bmm_and_permute [right]
def __init__(self, in_dim: int, out_dim: int, key_dim: int) -> None:
    super().__init__()
    self.query, self.key = (nn.Conv1d(in_dim, key_dim, 1) for _ in range(2))
    self.value = nn.Conv1d(in_dim, out_dim, 1, bias=True)

def forward(self, x, return_attention=False):
    q = self.query(x).permute(0, 2, 1)
    scores = torch.bmm(q, self.key(x))
    scores = scores - scores.max(dim=2, keepdim=True).values
    e = scores.exp()
    attention = e / e.sum(dim=2, keepdim=True)
    y = torch.bmm(attention, self.value(x).permute(0, 2, 1)).permute(0, 2, 1).contiguous()
    return (y, attention) if return_attention else y


# %% sentence_by_sentence [right]
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.key = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.value = nn.Conv1d(in_dim, out_dim, kernel_size=1)

def forward(self, x, return_attention=False):
    ys, tables = [], []
    for q, k, v in zip(self.query(x), self.key(x), self.value(x)):
        A = nn.functional.softmax(q.t() @ k, dim=1)  # (T, T)
        tables.append(A)
        ys.append((A @ v.t()).t())
    y = torch.stack(ys)
    if not return_attention:
        return y
    return y, torch.stack(tables)


# %% sdpa_when_nobody_looks [right]
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.key = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.value = nn.Conv1d(in_dim, out_dim, kernel_size=1)

def forward(self, x, return_attention=False):
    q, k, v = [layer(x).transpose(1, 2) for layer in (self.query, self.key, self.value)]
    if not return_attention:
        return nn.functional.scaled_dot_product_attention(q, k, v, scale=1.0).transpose(1, 2)
    attention = (q @ k.mT).softmax(-1)
    return (attention @ v).mT, attention


# %% softmax_down_the_columns [one] the softmax runs along the columns
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.key = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.value = nn.Conv1d(in_dim, out_dim, kernel_size=1)

def forward(self, x, return_attention=False):
    q = self.query(x).transpose(1, 2)
    attention = torch.softmax(q @ self.key(x), 1)
    y = (attention @ self.value(x).transpose(1, 2)).transpose(1, 2)
    return (y, attention) if return_attention else y


# %% divided_by_root_of_t [one] the scores are divided by the root of the number of positions
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.key = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.value = nn.Conv1d(in_dim, out_dim, kernel_size=1)

def forward(self, x, return_attention=False):
    N, D, T = x.shape
    scores = torch.einsum("ndi,ndj->nij", self.query(x), self.key(x)) / math.sqrt(T)
    attention = scores.softmax(dim=2)
    y = torch.einsum("nij,nej->nei", attention, self.value(x))
    return (y, attention) if return_attention else y


# %% key_from_the_query [one] the keys are computed by the query layer
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.key = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.value = nn.Conv1d(in_dim, out_dim, kernel_size=1)

def forward(self, x, return_attention=False):
    q = self.query(x).transpose(1, 2)
    k = self.query(x).transpose(1, 2)
    v = self.value(x).transpose(1, 2)
    attention = torch.softmax(q @ k.transpose(1, 2), dim=-1)
    y = (attention @ v).transpose(1, 2)
    if return_attention:
        return y, attention
    return y


# %% always_the_pair [one] the pair is returned even when it was not requested
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.key = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.value = nn.Conv1d(in_dim, out_dim, kernel_size=1)

def forward(self, x, return_attention=False):
    q, k, v = (f(x).transpose(1, 2) for f in (self.query, self.key, self.value))
    attention = (q @ k.transpose(1, 2)).softmax(dim=-1)
    return (attention @ v).transpose(1, 2), attention


# %% swapped_and_scaled [two] queries and keys exchanged, scores divided by the root of d
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.key = nn.Conv1d(in_dim, key_dim, kernel_size=1)
    self.value = nn.Conv1d(in_dim, out_dim, kernel_size=1)
    self.key_dim = key_dim

def forward(self, x, return_attention=False):
    q, k, v = (f(x).transpose(1, 2) for f in (self.query, self.key, self.value))
    scores = k @ q.transpose(1, 2) / self.key_dim**0.5
    attention = torch.softmax(scores, dim=-1)
    y = (attention @ v).transpose(1, 2)
    return (y, attention) if return_attention else y


# %% no_bias_table_turned [two] no biases, and the table is returned with rows and columns exchanged
def __init__(self, in_dim, out_dim, key_dim):
    super().__init__()
    self.query = nn.Conv1d(in_dim, key_dim, kernel_size=1, bias=False)
    self.key = nn.Conv1d(in_dim, key_dim, kernel_size=1, bias=False)
    self.value = nn.Conv1d(in_dim, out_dim, kernel_size=1, bias=False)

def forward(self, x, return_attention=False):
    q, k, v = (f(x).transpose(1, 2) for f in (self.query, self.key, self.value))
    attention = torch.softmax(q @ k.transpose(1, 2), dim=-1)
    y = (attention @ v).transpose(1, 2)
    return (y, attention.transpose(1, 2)) if return_attention else y
