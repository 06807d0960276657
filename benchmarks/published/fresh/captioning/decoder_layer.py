# %% loop_over_parts [right]
def forward(self, x, memory, tgt_mask=None):
    parts = (
        (lambda w: self.self_attn(w, w, w, tgt_mask), self.dropout1, self.norm1),
        (lambda w: self.multihead_attn(w, memory, memory), self.dropout2, self.norm2),
        (self.ffn, self.dropout3, self.norm3),
    )
    for part, dropout, norm in parts:
        x = norm(x + dropout(part(x)))
    return x


# %% numbered_variables [right]
def forward(self, x, memory, tgt_mask=None):
    attended = self.self_attn(query=x, key=x, value=x, attn_mask=tgt_mask)
    x1 = self.norm1(self.dropout1(attended) + x)
    crossed = self.multihead_attn(query=x1, key=memory, value=memory)
    x2 = self.norm2(self.dropout2(crossed) + x1)
    x3 = self.norm3(self.dropout3(self.ffn(x2)) + x2)
    return x3


# %% in_place_on_fresh_sums [right]
def forward(self, x, memory, tgt_mask=None):
    y = self.dropout1(self.self_attn(x, x, x, tgt_mask)).clone()
    y += x
    y = self.norm1(y)
    z = self.dropout2(self.multihead_attn(y, memory, memory, None)).clone()
    z += y
    z = self.norm2(z)
    return self.norm3(torch.add(z, self.dropout3(self.ffn(z))))


# %% mask_forgotten [one] the mask is not given to the self-attention
def forward(self, x, memory, tgt_mask=None):
    x = self.norm1(x + self.dropout1(self.self_attn(x, x, x)))
    x = self.norm2(x + self.dropout2(self.multihead_attn(x, memory, memory)))
    return self.norm3(x + self.dropout3(self.ffn(x)))


# %% skip_from_the_start [one] the second skip connection adds the layer's input instead of the part's
def forward(self, x, memory, tgt_mask=None):
    a = self.norm1(x + self.dropout1(self.self_attn(x, x, x, tgt_mask)))
    b = self.norm2(x + self.dropout2(self.multihead_attn(a, memory, memory)))
    return self.norm3(b + self.dropout3(self.ffn(b)))


# %% norms_first [one] the norms come before the parts, on the copy
def forward(self, x, memory, tgt_mask=None):
    n = self.norm1(x)
    x = x + self.dropout1(self.self_attn(n, n, n, tgt_mask))
    x = x + self.dropout2(self.multihead_attn(self.norm2(x), memory, memory))
    return x + self.dropout3(self.ffn(self.norm3(x)))


# %% memory_asks_no_last_skip [two] cross-attention uses x as values, and the feed-forward part has no skip
def forward(self, x, memory, tgt_mask=None):
    x = self.norm1(x + self.dropout1(self.self_attn(x, x, x, tgt_mask)))
    x = self.norm2(x + self.dropout2(self.multihead_attn(memory, x, x)))
    return self.norm3(self.dropout3(self.ffn(x)))


# %% one_dropout_norms_exchanged [two] norm2 and norm3 exchanged, no dropout after the feed-forward part
def forward(self, x, memory, tgt_mask=None):
    x = self.norm1(x + self.dropout1(self.self_attn(x, x, x, tgt_mask)))
    x = self.norm3(x + self.dropout2(self.multihead_attn(x, memory, memory)))
    return self.norm2(x + self.ffn(x))
