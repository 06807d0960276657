# %% by_einsum [right]
def forward(self, query, key, value, attn_mask=None):
    h = self.num_heads
    q = self.query(query).unflatten(-1, (h, -1))
    k = self.key(key).unflatten(-1, (h, -1))
    v = self.value(value).unflatten(-1, (h, -1))
    scores = torch.einsum("nshd,nthd->nhst", q, k) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    a = self.attn_drop(torch.softmax(scores, -1))
    return self.proj(torch.einsum("nhst,nthd->nshd", a, v).flatten(2))


# %% one_head_at_a_time [right]
def forward(self, query, key, value, attn_mask=None):
    Q, K, V = self.query(query), self.key(key), self.value(value)
    results = []
    for i in range(self.num_heads):
        part = slice(i * self.head_dim, (i + 1) * self.head_dim)
        e = Q[:, :, part] @ K[:, :, part].transpose(1, 2)
        e = e / math.sqrt(self.head_dim)
        if attn_mask is not None:
            e = e.masked_fill(~attn_mask.bool(), -math.inf)
        results.append(self.attn_drop(e.softmax(dim=2)) @ V[:, :, part])
    return self.proj(torch.cat(results, dim=2))


# %% torch_does_it [right]
def forward(self, query, key, value, attn_mask=None):
    q, k, v = (split_heads(layer(x), self.num_heads) for layer, x in
               ((self.query, query), (self.key, key), (self.value, value)))
    y = nn.functional.scaled_dot_product_attention(
        q, k, v,
        attn_mask=None if attn_mask is None else attn_mask != 0,
        dropout_p=self.attn_drop.p if self.training else 0.0,
    )
    return self.proj(y.transpose(1, 2).flatten(2))


# %% heads_in_the_batch [right] N and H as one axis for bmm
def forward(self, query, key, value, attn_mask=None):
    n, s, e = query.shape
    t, h, d = key.shape[1], self.num_heads, self.head_dim
    q = self.query(query).reshape(n, s, h, d).transpose(1, 2).reshape(n * h, s, d)
    k = self.key(key).reshape(n, t, h, d).transpose(1, 2).reshape(n * h, t, d)
    v = self.value(value).reshape(n, t, h, d).transpose(1, 2).reshape(n * h, t, d)
    bias = torch.zeros(s, t, dtype=q.dtype, device=q.device)
    if attn_mask is not None:
        bias = bias.masked_fill(attn_mask == 0, float("-inf"))
    a = torch.baddbmm(bias.expand(n * h, s, t), q, k.transpose(1, 2), alpha=d**-0.5).softmax(-1)
    y = torch.bmm(self.attn_drop(a), v)
    return self.proj(y.reshape(n, h, s, d).transpose(1, 2).reshape(n, s, e))


# %% query_divided_first [right]
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query) / math.sqrt(self.head_dim), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q.matmul(k.mT)
    if attn_mask is not None:
        scores = torch.where(attn_mask != 0, scores, torch.full_like(scores, -math.inf))
    out = self.attn_drop(scores.softmax(-1)).matmul(v)
    return self.proj(out.movedim(1, 2).reshape(query.shape))


# %% softmax_by_hand [right] exp, times the mask, divided by the sum
def forward(self, query, key, value, attn_mask=None):
    q, k, v = [split_heads(f(x), self.num_heads) for f, x in
               [(self.query, query), (self.key, key), (self.value, value)]]
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if attn_mask is None:
        allowed = torch.ones_like(scores)
    else:
        allowed = (attn_mask != 0).to(scores.dtype).expand_as(scores)
    top = scores.masked_fill(allowed == 0, -math.inf).amax(dim=-1, keepdim=True)
    e = torch.exp((scores - top).clamp(max=0)) * allowed
    weights = e / e.sum(dim=-1, keepdim=True)
    y = self.attn_drop(weights) @ v
    N, H, S, D = y.shape
    return self.proj(y.transpose(1, 2).contiguous().view(N, S, H * D))


# %% log_of_the_mask [right] 0 or minus infinity is added
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = (q @ k.transpose(2, 3)).div(self.head_dim**0.5)
    if attn_mask is not None:
        scores = scores + attn_mask.bool().to(scores).log()
    w = self.attn_drop(nn.functional.softmax(scores, dim=3))
    y = (w @ v).permute(0, 2, 1, 3).flatten(start_dim=2)
    return self.proj(y)


# %% huge_negative [right] exp(-1e9) is exactly zero
def forward(self, query, key, value, attn_mask=None):
    N, S, E = query.size()
    T = key.size(1)
    q = self.query(query).view(N, S, self.num_heads, -1).transpose(1, 2)
    k = self.key(key).view(N, T, self.num_heads, -1).transpose(1, 2)
    v = self.value(value).view(N, T, self.num_heads, -1).transpose(1, 2)
    att = torch.matmul(q, k.transpose(-2, -1)) / np.sqrt(self.head_dim)
    if attn_mask is not None:
        att = att.masked_fill(attn_mask == 0, -1e9)
    att = self.attn_drop(att.softmax(dim=-1))
    return self.proj(torch.matmul(att, v).transpose(1, 2).contiguous().view(N, S, E))


# %% sentence_by_sentence [right] a loop over the batch
def forward(self, query, key, value, attn_mask=None):
    outputs = []
    for q, k, v in zip(self.query(query), self.key(key), self.value(value)):
        q = q.view(-1, self.num_heads, self.head_dim).permute(1, 0, 2)
        k = k.view(-1, self.num_heads, self.head_dim).permute(1, 2, 0)
        v = v.view(-1, self.num_heads, self.head_dim).permute(1, 0, 2)
        a = torch.bmm(q, k) * self.head_dim ** -0.5
        if attn_mask is not None:
            a.masked_fill_(attn_mask == 0, float("-inf"))
        a = self.attn_drop(a.softmax(-1))
        outputs.append(torch.bmm(a, v).permute(1, 0, 2).flatten(1))
    return self.proj(torch.stack(outputs))


# %% log_softmax_then_exp [right]
def forward(self, query, key, value, attn_mask=None):
    q, k, v = (split_heads(p, self.num_heads) for p in (self.query(query), self.key(key), self.value(value)))
    logits = torch.einsum("...sd,...td->...st", q, k) / math.sqrt(self.embed_dim / self.num_heads)
    if attn_mask is not None:
        logits[..., attn_mask == 0] = -torch.inf
    a = self.attn_drop((logits - logits.logsumexp(-1, keepdim=True)).exp())
    return self.proj(torch.cat((a @ v).unbind(1), -1))


# %% mask_times_scores [one] hidden scores become 0, and still get weight
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
    if attn_mask is not None:
        scores = scores * attn_mask
    w = self.attn_drop(scores.softmax(-1))
    y = (w @ v).transpose(1, 2).reshape(query.shape)
    return self.proj(y)


# %% divided_by_whole_width [one] sqrt(E) in place of sqrt(E/H)
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% multiplied_by_root [one] times sqrt(E/H)
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) * self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% dim_forgotten [one] F.softmax without dim takes axis 1, the heads
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, -1e9)
    w = self.attn_drop(nn.functional.softmax(scores))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% scores_dropped [one] dropout before the softmax
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = self.attn_drop(q @ k.transpose(-2, -1) / self.head_dim**0.5)
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    return self.proj((scores.softmax(dim=-1) @ v).transpose(1, 2).flatten(2))


# %% never_projected [one] self.proj is not used
def forward(self, query, key, value, attn_mask=None):
    N, S, E = query.shape
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    y = self.attn_drop(scores.softmax(dim=-1)) @ v
    return y.transpose(1, 2).reshape(N, S, E)


# %% joined_at_once [one] heads and positions are not exchanged back
def forward(self, query, key, value, attn_mask=None):
    N, S, E = query.shape
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    y = self.attn_drop(scores.softmax(dim=-1)) @ v
    return self.proj(y.reshape(N, S, E))


# %% hides_what_is_allowed [one] masked_fill where the mask is true
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask.bool(), -1e9)
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% values_by_the_key_layer [one]
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.key(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% weights_times_mask [one] masked after the softmax, so that rows sum to less than one
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    w = torch.softmax(q @ k.transpose(-2, -1) / self.head_dim**0.5, dim=-1)
    if attn_mask is not None:
        w = w * attn_mask
    return self.proj((self.attn_drop(w) @ v).transpose(1, 2).flatten(2))


# %% adds_the_query [one] a residual connection that nobody asked for
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return query + self.proj((w @ v).transpose(1, 2).flatten(2))


# %% nought_times_infinity [one] (1 - mask) * -inf is NaN where the mask is 1
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores + (1 - attn_mask.float()) * float("-inf")
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% small_not_large [one] -1e-9 in place of -1e9
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, -1e-9)
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% same_length_expected [one] keys are given the query's number of positions
def forward(self, query, key, value, attn_mask=None):
    N, S, E = query.shape
    H, D = self.num_heads, self.head_dim
    q = self.query(query).view(N, S, H, D).transpose(1, 2)
    k = self.key(key).view(N, S, H, D).transpose(1, 2)
    v = self.value(value).view(N, S, H, D).transpose(1, 2)
    scores = q @ k.transpose(-2, -1) / D**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).reshape(N, S, E))


# %% mask_added_as_numbers [one] scores + mask
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores + attn_mask
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% interleaved_heads [one] split into (width, heads): head i has every H-th component, here and when joined
def forward(self, query, key, value, attn_mask=None):
    def heads(x):
        N, L, E = x.shape
        return x.view(N, L, self.head_dim, self.num_heads).permute(0, 3, 1, 2)

    q, k, v = heads(self.query(query)), heads(self.key(key)), heads(self.value(value))
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).permute(0, 2, 3, 1).flatten(2))


# %% always_ten_per_cent [one] F.dropout with its own rate, in evaluation too
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    w = nn.functional.dropout(scores.softmax(-1), 0.1)
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% causal_by_habit [one] later positions are hidden even without a mask
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is None:
        attn_mask = torch.ones(scores.shape[-2:], device=scores.device).tril()
    scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% relu_on_projections [one] a ReLU after each of the three layers
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(torch.relu(self.query(query)), self.num_heads)
    k = split_heads(torch.relu(self.key(key)), self.num_heads)
    v = split_heads(torch.relu(self.value(value)), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% unit_queries [one] queries and keys brought to length one
def forward(self, query, key, value, attn_mask=None):
    q = nn.functional.normalize(split_heads(self.query(query), self.num_heads), dim=-1)
    k = nn.functional.normalize(split_heads(self.key(key), self.num_heads), dim=-1)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% masked_fill_lost [one] the result of masked_fill is not kept
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores.masked_fill(attn_mask == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% one_mask_per_sentence [one] mask is taken to have a batch axis
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask[:, None, :, :] == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% unscaled_unprojected [two]
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1)
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return (w @ v).transpose(1, 2).flatten(2)


# %% whole_width_no_dropout [two] sqrt(E), and no dropout
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / math.sqrt(self.embed_dim)
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    return self.proj((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


# %% inverted_and_over_queries [two] mask inverted, softmax over the queries
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask != 0, -1e9)
    w = self.attn_drop(scores.softmax(-2))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% key_as_value_late_mask [two] values from the key, mask after the softmax
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(key), self.num_heads)
    w = torch.softmax(q @ k.transpose(-2, -1) / self.head_dim**0.5, dim=-1)
    if attn_mask is not None:
        w = w.masked_fill(attn_mask == 0, 0.0)
    return self.proj((self.attn_drop(w) @ v).transpose(1, 2).flatten(2))


# %% no_dropout_no_mask [two] dropout forgotten, mask never used
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    w = (q @ k.transpose(-2, -1) / self.head_dim**0.5).softmax(-1)
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% unscaled_joined_at_once [two] no scaling, heads joined without the exchange
def forward(self, query, key, value, attn_mask=None):
    N, S, E = query.shape
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1)
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    y = self.attn_drop(scores.softmax(dim=-1)) @ v
    return self.proj(y.contiguous().view(N, S, E))


# %% scores_dropped_by_width [two] dropout on the scores, divided by E/H without a root
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = self.attn_drop(q @ k.transpose(-2, -1) / self.head_dim)
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    return self.proj((scores.softmax(dim=-1) @ v).transpose(1, 2).flatten(2))


# %% key_layer_for_query_unprojected [two] the query goes through self.key, nothing through self.proj
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.key(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return (w @ v).transpose(1, 2).flatten(2)


# %% mask_added_unscaled [two] scores + mask, and no scaling
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = torch.matmul(q, k.transpose(-2, -1))
    if attn_mask is not None:
        scores = scores + attn_mask.float()
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% interleaved_output_dropped [two] heads interleaved, dropout on the result
def forward(self, query, key, value, attn_mask=None):
    def heads(x):
        return x.unflatten(-1, (self.head_dim, self.num_heads)).permute(0, 3, 1, 2)

    q, k, v = heads(self.query(query)), heads(self.key(key)), heads(self.value(value))
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    y = (scores.softmax(-1) @ v).permute(0, 2, 3, 1).flatten(2)
    return self.attn_drop(self.proj(y))


# %% over_heads_zero_filled [two] softmax over the heads, hidden scores 0
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, 0)
    w = self.attn_drop(torch.softmax(scores, 1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% viewed_with_residual [two] split without the exchange, query added
def forward(self, query, key, value, attn_mask=None):
    N, S, E = query.shape
    T = key.shape[1]
    q = self.query(query).view(N, self.num_heads, S, self.head_dim)
    k = self.key(key).view(N, self.num_heads, T, self.head_dim)
    v = self.value(value).view(N, self.num_heads, T, self.head_dim)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return query + self.proj((w @ v).reshape(N, S, E))


# %% unscaled_small_filler [two] no scaling, 1e-9 as the filler
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    scores = q @ k.transpose(-2, -1)
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, 1e-9)
    w = self.attn_drop(scores.softmax(-1))
    return self.proj((w @ v).transpose(1, 2).flatten(2))


# %% raw_values_no_dropout [two] the value layer is skipped, dropout forgotten
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(value, self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    return self.proj((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


# %% ready_made_careless [two] the mask is not passed on, dropout acts in evaluation too
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads)
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.value(value), self.num_heads)
    y = nn.functional.scaled_dot_product_attention(q, k, v, dropout_p=self.attn_drop.p)
    return self.proj(y.transpose(1, 2).flatten(2))


# %% two_scalings_proj_first [two] divided twice, and self.proj before the heads are weighed
def forward(self, query, key, value, attn_mask=None):
    q = split_heads(self.query(query), self.num_heads) / self.head_dim**0.5
    k = split_heads(self.key(key), self.num_heads)
    v = split_heads(self.proj(self.value(value)), self.num_heads)
    scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask == 0, float("-inf"))
    w = self.attn_drop(scores.softmax(-1))
    return (w @ v).transpose(1, 2).flatten(2)
