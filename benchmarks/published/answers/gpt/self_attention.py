# %% compared_places [right]
def look(self, x):
    q, k = self.rotate(self.split(self.query(x))), self.rotate(self.split(self.key(x)))
    s = torch.arange(x.shape[1], device=x.device)
    scores = q @ k.mT / math.sqrt(self.head_dim)
    return scores.masked_fill(s[None, :] > s[:, None], -math.inf).softmax(-1)

def forward(self, x):
    return self.proj(self.join(self.look(x) @ self.split(self.value(x))))


# %% turned_before_the_split [one] rotate on x itself
def look(self, x):
    x = self.split(x)
    x = self.rotate(x)
    x = self.join(x)
    q, k = self.split(self.query(x)), self.split(self.key(x))
    S = x.shape[1]
    hidden = torch.ones(S, S, dtype=torch.bool, device=x.device).triu(1)
    return (q @ k.mT / math.sqrt(self.head_dim)).masked_fill(hidden, -math.inf).softmax(-1)

def forward(self, x):
    return self.proj(self.join(self.look(x) @ self.split(self.value(x))))


# %% values_turned_too [one]
def look(self, x):
    q, k = self.rotate(self.split(self.query(x))), self.rotate(self.split(self.key(x)))
    hidden = torch.ones_like(q @ k.mT).triu(1).bool()
    return (q @ k.mT / math.sqrt(self.head_dim)).masked_fill(hidden, -math.inf).softmax(-1)

def forward(self, x):
    return self.proj(self.join(self.look(x) @ self.rotate(self.split(self.value(x)))))


# %% unmasked_unscaled [two]
def look(self, x):
    q, k = self.rotate(self.split(self.query(x))), self.rotate(self.split(self.key(x)))
    return (q @ k.mT).softmax(-1)

def forward(self, x):
    return self.proj(self.join(self.look(x) @ self.split(self.value(x))))


# %% key_not_turned_unprojected [two]
def look(self, x):
    q, k = self.rotate(self.split(self.query(x))), self.split(self.key(x))
    S = x.shape[1]
    hidden = torch.ones(S, S, dtype=torch.bool, device=x.device).triu(1)
    return (q @ k.mT / math.sqrt(self.head_dim)).masked_fill(hidden, -math.inf).softmax(-1)

def forward(self, x):
    return self.join(self.look(x) @ self.split(self.value(x)))
