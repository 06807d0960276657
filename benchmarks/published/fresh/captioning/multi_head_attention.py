# %% fused_kernel [right]
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    if attn_mask is not None:
        attn_mask = attn_mask.bool()
    y = nn.functional.scaled_dot_product_attention(
        q, k, v, attn_mask=attn_mask, dropout_p=self.attn_drop.p if self.training else 0.0
    )
    return self.proj(y.transpose(1, 2).flatten(2))


# %% head_after_head [right]
def forward(self, query, key, value, attn_mask=None):
    Q, K, V = self.query(query), self.key(key), self.value(value)
    d = self.head_dim
    results = []
    for h in range(self.num_heads):
        own = slice(h * d, (h + 1) * d)
        scores = Q[..., own] @ K[..., own].transpose(-2, -1) / math.sqrt(d)
        if attn_mask is not None:
            scores = scores.masked_fill(attn_mask == 0, -1e9)
        results.append(self.attn_drop(scores.softmax(dim=-1)) @ V[..., own])
    return self.proj(torch.cat(results, dim=-1))


# %% log_of_the_mask [right]
def forward(self, query, key, value, attn_mask=None):
    N, S, E = query.shape
    T = key.shape[1]
    H, d = self.num_heads, self.head_dim
    q = self.query(query).view(N, S, H, d)
    k = self.key(key).view(N, T, H, d)
    v = self.value(value).view(N, T, H, d)
    scores = torch.einsum("nshd,nthd->nhst", q, k) * d**-0.5
    if attn_mask is not None:
        scores = scores + (attn_mask != 0).to(scores.dtype).log()
    weights = self.attn_drop(torch.softmax(scores, dim=3))
    return self.proj(torch.einsum("nhst,nthd->nshd", weights, v).reshape(N, S, E))


# %% scaled_queries_where [right]
def forward(self, query, key, value, attn_mask=None):
    heads = lambda layer, x: layer(x).unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)
    q = heads(self.query, query) / self.head_dim**0.5
    scores = torch.matmul(q, heads(self.key, key).mT)
    if attn_mask is not None:
        hidden = torch.full_like(scores, -math.inf)
        scores = torch.where(attn_mask.bool(), scores, hidden)
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    weights = self.attn_drop(e / e.sum(dim=-1, keepdim=True))
    return self.proj((weights @ heads(self.value, value)).transpose(1, 2).flatten(start_dim=-2))


# %% divided_by_d_itself [one] the scores are divided by d instead of its root
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = (q @ k.transpose(-2, -1)) / self.head_dim
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    weights = self.attn_drop(scores.softmax(dim=-1))
    return self.proj((weights @ v).transpose(1, 2).flatten(2))


# %% mask_multiplied [one] scores are multiplied by the mask, so hidden ones are 0 and not minus infinity
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = (q @ k.transpose(-2, -1)) / math.sqrt(self.head_dim)
    if attn_mask is not None:
        scores = scores * attn_mask
    weights = self.attn_drop(scores.softmax(dim=-1))
    return self.proj((weights @ v).transpose(1, 2).flatten(2))


# %% dropout_on_the_scores [one] dropout acts on the scores before the softmax
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = self.attn_drop(torch.einsum("nhsd,nhtd->nhst", q, k) / math.sqrt(self.head_dim))
    if attn_mask is not None:
        scores = scores.masked_fill(~attn_mask.bool(), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return self.proj((weights @ v).transpose(1, 2).flatten(2))


# %% true_hides [one] the mask is read the other way round
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.mT * self.head_dim**-0.5
    if attn_mask is not None:
        scores[..., attn_mask.bool()] = -1e9
    y = self.attn_drop(scores.softmax(-1)) @ v
    return self.proj(y.transpose(1, 2).reshape(query.shape))


# %% whole_width_unprojected [two] divided by the root of E, and the output projection is missing
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = (q @ k.transpose(-2, -1)) / math.sqrt(self.embed_dim)
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    weights = self.attn_drop(scores.softmax(dim=-1))
    return (weights @ v).transpose(1, 2).flatten(2)


# %% joined_straight_no_scale [two] heads joined without exchanging back, and no scaling
def forward(self, query, key, value, attn_mask=None):
    N, S, E = query.shape
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1)
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    weights = self.attn_drop(torch.softmax(scores, dim=-1))
    return self.proj((weights @ v).reshape(N, S, E))
