# %% by_hstack [right]
def step(self, word, hidden, memory):
    e = self.dropout(self.embedding(word))
    c, weights = self.attention(hidden, *memory)
    s = self.cell(torch.hstack((e, c)), hidden)
    return self.output(torch.hstack((s, c, e))), s, weights


# %% memory_unpacked [right]
def step(self, word, hidden, memory):
    states, keys, mask = memory
    context, alpha = self.attention(hidden, states, keys, mask)
    embedded = self.dropout(self.embedding(word))
    new = self.cell(torch.cat([embedded, context], dim=-1), hidden)
    logits = self.output(torch.cat([new, context, embedded], dim=-1))
    return logits, new, alpha


# %% attends_after [one] the GRU first, with the context of the old state left for the output only
def step(self, word, hidden, memory):
    e = self.dropout(self.embedding(word))
    c, _ = self.attention(hidden, *memory)
    s = self.cell(torch.cat([e, c], 1), hidden)
    c, weights = self.attention(s, *memory)
    return self.output(torch.cat([s, c, e], 1)), s, weights


# %% old_state_returned [one]
def step(self, word, hidden, memory):
    e = self.dropout(self.embedding(word))
    c, weights = self.attention(hidden, *memory)
    s = self.cell(torch.cat([e, c], 1), hidden)
    return self.output(torch.cat([s, c, e], 1)), hidden, weights


# %% context_first [one] [c ; e] for the cell
def step(self, word, hidden, memory):
    e = self.dropout(self.embedding(word))
    c, weights = self.attention(hidden, *memory)
    s = self.cell(torch.cat([c, e], 1), hidden)
    return self.output(torch.cat([s, c, e], 1)), s, weights


# %% undropped [one] no dropout on the word
def step(self, word, hidden, memory):
    e = self.embedding(word)
    c, weights = self.attention(hidden, *memory)
    s = self.cell(torch.cat([e, c], 1), hidden)
    return self.output(torch.cat([s, c, e], 1)), s, weights


# %% cell_forgets [one] the cell is called without a state
def step(self, word, hidden, memory):
    e = self.dropout(self.embedding(word))
    c, weights = self.attention(hidden, *memory)
    s = self.cell(torch.cat([e, c], 1))
    return self.output(torch.cat([s, c, e], 1)), s, weights


# %% old_state_into_scores_undropped [two]
def step(self, word, hidden, memory):
    e = self.embedding(word)
    c, weights = self.attention(hidden, *memory)
    s = self.cell(torch.cat([e, c], 1), hidden)
    return self.output(torch.cat([hidden, c, e], 1)), s, weights


# %% probabilities_in_other_order [two] softmax on the logits, [s ; e ; c]
def step(self, word, hidden, memory):
    e = self.dropout(self.embedding(word))
    c, weights = self.attention(hidden, *memory)
    s = self.cell(torch.cat([e, c], 1), hidden)
    return self.output(torch.cat([s, e, c], 1)).softmax(-1), s, weights


# %% context_dropped_state_old [two] dropout on the context too, old state returned
def step(self, word, hidden, memory):
    e = self.dropout(self.embedding(word))
    c, weights = self.attention(hidden, *memory)
    c = self.dropout(c)
    s = self.cell(torch.cat([e, c], 1), hidden)
    return self.output(torch.cat([s, c, e], 1)), hidden, weights


# %% relu_word_context_first [two] ReLU on the word, context first for the cell
def step(self, word, hidden, memory):
    e = torch.relu(self.dropout(self.embedding(word)))
    c, weights = self.attention(hidden, *memory)
    s = self.cell(torch.cat([c, e], 1), hidden)
    return self.output(torch.cat([s, c, e], 1)), s, weights
