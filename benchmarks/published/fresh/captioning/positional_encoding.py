# %% cell_by_cell [right]
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    pe = torch.zeros(1, max_len, embed_dim)
    i = torch.arange(max_len)
    for j in range(embed_dim):
        if j % 2 == 0:
            pe[0, :, j] = torch.sin(i * 10000 ** (-j / embed_dim))
        else:
            pe[0, :, j] = torch.cos(i * 10000 ** (-(j - 1) / embed_dim))
    self.register_buffer("pe", pe)

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% complex_hands [right]
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    speeds = torch.pow(10000.0, -torch.arange(0, embed_dim, 2) / embed_dim)
    angles = torch.outer(torch.arange(max_len, dtype=torch.float), speeds)
    self.register_buffer("pe", torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)[None])

def forward(self, x):
    N, S, E = x.shape
    table = self.pe[0].narrow(0, 0, S)
    return self.dropout(torch.add(x, table))


# %% one_sine_with_a_phase [right]
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    j = torch.arange(embed_dim, dtype=torch.float64)
    i = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)
    angle = i * torch.exp(-(j - j % 2) / embed_dim * math.log(10000)) + (j % 2) * math.pi / 2
    self.register_buffer("pe", angle.sin().float().unsqueeze(0))

def forward(self, x):
    y = x.clone()
    y += self.pe[:, : x.size(1), :]
    return self.dropout(y)


# %% sines_then_cosines [one] sines in the first half of the columns, cosines in the second
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    speeds = 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    angles = torch.arange(max_len).unsqueeze(1) * speeds
    self.register_buffer("pe", torch.cat([angles.sin(), angles.cos()], dim=1).unsqueeze(0))

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% exponent_of_pairs [one] the exponent is m / E with m the pair, half of what it should be
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    position = torch.arange(max_len).unsqueeze(1)
    speed = 10000.0 ** (-torch.arange(embed_dim // 2) / embed_dim)
    pe = torch.zeros(1, max_len, embed_dim)
    pe[0, :, 0::2] = torch.sin(position * speed)
    pe[0, :, 1::2] = torch.cos(position * speed)
    self.register_buffer("pe", pe)

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% trained_table [one] the table is a parameter, so it is trained
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    position = torch.arange(max_len).unsqueeze(1)
    speed = 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    pe = torch.zeros(1, max_len, embed_dim)
    pe[0, :, 0::2] = torch.sin(position * speed)
    pe[0, :, 1::2] = torch.cos(position * speed)
    self.pe = nn.Parameter(pe)

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% swapped_and_dropout_first [two] cosines in even columns, and dropout acts on x before the sum
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    position = torch.arange(max_len).unsqueeze(1)
    speed = 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    pe = torch.zeros(1, max_len, embed_dim)
    pe[0, :, 0::2] = torch.cos(position * speed)
    pe[0, :, 1::2] = torch.sin(position * speed)
    self.register_buffer("pe", pe)

def forward(self, x):
    return self.dropout(x) + self.pe[:, : x.shape[1]]


# %% from_one_in_place [two] positions begin with 1, and the input is changed in place
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    position = torch.arange(1, max_len + 1).unsqueeze(1)
    speed = 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    pe = torch.zeros(1, max_len, embed_dim)
    pe[0, :, 0::2] = torch.sin(position * speed)
    pe[0, :, 1::2] = torch.cos(position * speed)
    self.register_buffer("pe", pe)

def forward(self, x):
    x += self.pe[:, : x.shape[1]]
    return self.dropout(x)
