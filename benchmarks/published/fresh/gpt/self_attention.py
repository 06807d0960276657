# %% triu_filled [right]
def look(self, x):
    q, k = self.rotate(self.split(self.query(x))), self.rotate(self.split(self.key(x)))
    scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
    S = x.shape[1]
    later = torch.ones(S, S, dtype=torch.bool, device=x.device).triu(1)
    scores.masked_fill_(later, float("-inf"))
    return scores.softmax(dim=-1)

def forward(self, x):
    v = self.split(self.value(x))
    return self.proj(self.join(self.look(x) @ v))


# %% fused_forward [right]
def look(self, x):
    q, k = (self.rotate(self.split(layer(x))) for layer in (self.query, self.key))
    scores = torch.einsum("nhsd,nhtd->nhst", q, k) * self.head_dim**-0.5
    place = torch.arange(x.shape[1], device=x.device)
    return torch.where(place[:, None] >= place, scores, -math.inf).softmax(-1)

def forward(self, x):
    q, k = self.rotate(self.split(self.query(x))), self.rotate(self.split(self.key(x)))
    v = self.split(self.value(x))
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return self.proj(self.join(y))


# %% additive_mask [right]
def look(self, x):
    S = x.size(1)
    q = self.rotate(self.split(self.query(x) / self.head_dim**0.5))
    k = self.rotate(self.split(self.key(x)))
    mask = torch.full((S, S), float("-inf"), device=x.device, dtype=x.dtype).triu(diagonal=1)
    return F.softmax(torch.matmul(q, k.mT) + mask, dim=3)

def forward(self, x):
    weights = self.look(x)
    found = torch.einsum("nhst,nhtd->nhsd", weights, self.split(self.value(x)))
    joined = self.join(found)
    return self.proj(joined)


# %% values_turned [one] the values are turned as well
def look(self, x):
    q, k = self.rotate(self.split(self.query(x))), self.rotate(self.split(self.key(x)))
    scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
    S = x.shape[1]
    mask = torch.ones(S, S, device=x.device).tril() == 0
    return scores.masked_fill(mask, float("-inf")).softmax(dim=-1)

def forward(self, x):
    v = self.rotate(self.split(self.value(x)))
    return self.proj(self.join(self.look(x) @ v))


# %% only_queries_turned [one] the keys are not turned
def look(self, x):
    q, k = self.rotate(self.split(self.query(x))), self.split(self.key(x))
    scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
    S = x.shape[1]
    mask = torch.ones(S, S, device=x.device).tril() == 0
    return scores.masked_fill(mask, float("-inf")).softmax(dim=-1)

def forward(self, x):
    return self.proj(self.join(self.look(x) @ self.split(self.value(x))))


# %% turned_before_the_split [one] queries and keys are turned before they are split into heads
def look(self, x):
    q = self.split(self.rotate(self.query(x)[:, None])[:, 0])
    k = self.split(self.rotate(self.key(x)[:, None])[:, 0])
    scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
    S = x.shape[1]
    mask = torch.ones(S, S, device=x.device).tril() == 0
    return scores.masked_fill(mask, float("-inf")).softmax(dim=-1)

def forward(self, x):
    return self.proj(self.join(self.look(x) @ self.split(self.value(x))))


# %% zeroed_afterwards_unprojected [two] later places are zeroed after the softmax, and proj is missing
def look(self, x):
    q, k = self.rotate(self.split(self.query(x))), self.rotate(self.split(self.key(x)))
    weights = (q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)).softmax(dim=-1)
    return weights.tril()

def forward(self, x):
    return self.join(self.look(x) @ self.split(self.value(x)))


# %% unscaled_peeking_by_one [two] no scaling, and each place sees the next one
def look(self, x):
    q, k = self.rotate(self.split(self.query(x))), self.rotate(self.split(self.key(x)))
    S = x.shape[1]
    mask = torch.ones(S, S, device=x.device).tril(1) == 0
    return (q @ k.transpose(-2, -1)).masked_fill(mask, float("-inf")).softmax(dim=-1)

def forward(self, x):
    return self.proj(self.join(self.look(x) @ self.split(self.value(x))))
