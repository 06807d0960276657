# %% by_loops [right] with math, row by row
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    speeds = [10000 ** (-j / embed_dim) for j in range(0, embed_dim, 2)]
    rows = [[f(i * w) for w in speeds for f in (math.sin, math.cos)] for i in range(max_len)]
    self.register_buffer("pe", torch.tensor(rows).unsqueeze(0))

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% complex_hands [right] the hands of clocks as complex numbers
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    i = torch.arange(max_len, dtype=torch.float64)
    speed = 10000 ** (-torch.arange(0, embed_dim, 2, dtype=torch.float64) / embed_dim)
    hands = torch.polar(torch.ones(max_len, embed_dim // 2, dtype=torch.float64), torch.outer(i, speed))
    pe = torch.view_as_real(hands).flip(-1).flatten(1)
    self.register_buffer("pe", pe[None].float())

def forward(self, x):
    return self.dropout(x + self.pe[0, : x.size(1)])


# %% from_numpy [right]
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    angle = np.arange(max_len)[:, None] / np.power(10000.0, np.arange(0, embed_dim, 2) / embed_dim)
    pe = np.empty((1, max_len, embed_dim), dtype=np.float32)
    pe[0, :, 0::2], pe[0, :, 1::2] = np.sin(angle), np.cos(angle)
    self.register_buffer("pe", torch.from_numpy(pe))

def forward(self, x):
    N, S, E = x.shape
    return self.dropout(torch.add(x, self.pe[:, :S].expand(N, S, E)))


# %% cosine_is_a_late_sine [right] sin(a + pi/2) in the odd columns, in double precision
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    j = torch.arange(embed_dim)
    angle = torch.arange(max_len).double()[:, None] * 10000.0 ** (-(j - j % 2).double() / embed_dim)
    self.register_buffer("pe", torch.sin(angle + (j % 2) * math.pi / 2).float()[None])

def forward(self, x):
    return self.dropout(self.pe[:, : x.shape[1]] + x)


# %% looked_up [right] the table is read like an embedding
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    m = torch.arange(embed_dim // 2)
    angle = torch.arange(max_len).unsqueeze(1) * torch.exp(m * (-2 * math.log(10000.0) / embed_dim))
    self.register_buffer("pe", torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(-2).unsqueeze(0))

def forward(self, x):
    places = torch.arange(x.shape[1], device=x.device)
    return self.dropout(x + nn.functional.embedding(places, self.pe[0]))


# %% power_of_ten [right] 10 ** (-4 j / E) is the same
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    pe = torch.zeros(1, max_len, embed_dim)
    pos = torch.arange(max_len).reshape(-1, 1)
    for j in range(0, embed_dim, 2):
        pe[0, :, j : j + 1] = torch.sin(pos * 10 ** (-4 * j / embed_dim))
        pe[0, :, j + 1 : j + 2] = torch.cos(pos * 10 ** (-4 * j / embed_dim))
    self.register_buffer("pe", pe)

def forward(self, x):
    S = x.shape[1]
    return self.dropout(x + self.pe[:, :S, :])


# %% base_of_thousand [one] 1000 in place of 10000
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    pe = torch.zeros(1, max_len, embed_dim)
    angle = torch.arange(max_len)[:, None] * 1000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    pe[0, :, 0::2] = angle.sin()
    pe[0, :, 1::2] = angle.cos()
    self.register_buffer("pe", pe)

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% cosines_first [one] cosines in the even columns
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    pe = torch.zeros(1, max_len, embed_dim)
    angle = torch.arange(max_len)[:, None] * 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    pe[0, :, 1::2] = angle.sin()
    pe[0, :, 0::2] = angle.cos()
    self.register_buffer("pe", pe)

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% own_speed_each [one] the odd columns have the exponent j / E of their own
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    i = torch.arange(max_len).unsqueeze(1)
    j = torch.arange(embed_dim)
    angle = i / 10000.0 ** (j / embed_dim)
    self.register_buffer("pe", torch.where(j % 2 == 0, angle.sin(), angle.cos())[None])

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% sines_then_cosines [one] the first half sines, the second half cosines
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    angle = torch.arange(max_len)[:, None] * 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    self.register_buffer("pe", torch.cat([angle.sin(), angle.cos()], dim=1)[None])

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% dropout_on_the_table [one] x + dropout(pe)
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    angle = torch.arange(max_len)[:, None] * 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(1, max_len, embed_dim)
    self.register_buffer("pe", pe)

def forward(self, x):
    return x + self.dropout(self.pe[:, : x.shape[1]])


# %% plain_attribute [one] self.pe = pe
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    angle = torch.arange(max_len)[:, None] * 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    self.pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(1, max_len, embed_dim)

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% written_into_x [one] x += pe
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    angle = torch.arange(max_len)[:, None] * 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(1, max_len, embed_dim)
    self.register_buffer("pe", pe)

def forward(self, x):
    x += self.pe[:, : x.shape[1]]
    return self.dropout(x)


# %% counted_from_one [one] positions 1, 2, 3, ...
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    angle = torch.arange(1, max_len + 1)[:, None] * 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(1, max_len, embed_dim)
    self.register_buffer("pe", pe)

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% cut_by_the_batch [one] x.size(0) rows, as where the sequence comes first
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    angle = torch.arange(max_len)[:, None] * 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(1, max_len, embed_dim)
    self.register_buffer("pe", pe)

def forward(self, x):
    x = x + self.pe[:, : x.size(0)]
    return self.dropout(x)


# %% whole_division [one] j // E is always 0, so that all hands have one speed
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    pe = torch.zeros(1, max_len, embed_dim)
    i = torch.arange(max_len).float()
    for j in range(0, embed_dim, 2):
        pe[0, :, j] = torch.sin(i / 10000 ** (j // embed_dim))
        pe[0, :, j + 1] = torch.cos(i / 10000 ** (j // embed_dim))
    self.register_buffer("pe", pe)

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% in_degrees [one] the angles are taken for degrees
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    angle = torch.arange(max_len)[:, None] * 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    angle = torch.deg2rad(angle)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(1, max_len, embed_dim)
    self.register_buffer("pe", pe)

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% only_the_table_returned [one] x is used for its length alone
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    angle = torch.arange(max_len)[:, None] * 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(1, max_len, embed_dim)
    self.register_buffer("pe", pe)

def forward(self, x):
    return self.dropout(self.pe[:, : x.shape[1]].expand_as(x))


# %% swapped_base_of_thousand [two] cosines first, 1000 in place of 10000
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    angle = torch.arange(max_len)[:, None] * 1000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    pe = torch.stack([angle.cos(), angle.sin()], -1).reshape(1, max_len, embed_dim)
    self.register_buffer("pe", pe)

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% halves_no_dropout [two] sines in the first half, dropout forgotten
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    angle = torch.arange(max_len)[:, None] * 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    self.register_buffer("pe", torch.cat([angle.sin(), angle.cos()], dim=-1).unsqueeze(0))

def forward(self, x):
    return x + self.pe[:, : x.shape[1]]


# %% attribute_from_one [two] not a buffer, positions from 1
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    angle = torch.arange(1.0, max_len + 1)[:, None] * 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    self.pe = torch.zeros(1, max_len, embed_dim)
    self.pe[..., 0::2] = angle.sin()
    self.pe[..., 1::2] = angle.cos()

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% in_place_table_dropped [two] x is changed, and dropout acts on the table
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    angle = torch.arange(max_len)[:, None] * 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(1, max_len, embed_dim)
    self.register_buffer("pe", pe)

def forward(self, x):
    x += self.dropout(self.pe[:, : x.shape[1]])
    return x


# %% trained_no_dropout [two] a parameter, and no dropout
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    angle = torch.arange(max_len)[:, None] * 10000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    self.pe = nn.Parameter(torch.stack([angle.sin(), angle.cos()], -1).reshape(1, max_len, embed_dim))

def forward(self, x):
    return x + self.pe[:, : x.shape[1]]


# %% own_speed_from_one [two] odd columns with j / E, positions from 1
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    i = torch.arange(1, max_len + 1).unsqueeze(1)
    j = torch.arange(embed_dim)
    angle = i / 10000.0 ** (j / embed_dim)
    self.register_buffer("pe", torch.where(j % 2 == 0, angle.sin(), angle.cos())[None])

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% twice_the_exponent_swapped [two] 2j / E where j is already even, cosines first
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    pe = torch.zeros(max_len, embed_dim)
    for j in range(0, embed_dim, 2):
        angle = torch.arange(max_len) / 10000 ** (2 * j / embed_dim)
        pe[:, j] = torch.cos(angle)
        pe[:, j + 1] = torch.sin(angle)
    self.register_buffer("pe", pe[None])

def forward(self, x):
    return self.dropout(x + self.pe[:, : x.shape[1]])


# %% scaled_input_thousand [two] x times sqrt(E), 1000 in place of 10000
def __init__(self, embed_dim, dropout=0.1, max_len=5000):
    super().__init__()
    layers.check_even(embed_dim)
    self.dropout = nn.Dropout(dropout)
    self.embed_dim = embed_dim
    angle = torch.arange(max_len)[:, None] * 1000.0 ** (-torch.arange(0, embed_dim, 2) / embed_dim)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(1, max_len, embed_dim)
    self.register_buffer("pe", pe)

def forward(self, x):
    return self.dropout(x * math.sqrt(self.embed_dim) + self.pe[:, : x.shape[1]])
