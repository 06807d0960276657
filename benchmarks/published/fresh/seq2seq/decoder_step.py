# %% in_order [right]
def step(self, word, hidden, memory):
    embedded = self.dropout(self.embedding(word))
    context, weights = self.attention(hidden, *memory)
    hidden = self.cell(torch.cat([embedded, context], dim=1), hidden)
    logits = self.output(torch.cat([hidden, context, embedded], dim=1))
    return logits, hidden, weights


# %% memory_unpacked [right]
def step(self, word, hidden, memory):
    states, keys, mask = memory
    context, weights = self.attention(hidden, states, keys, mask)
    e = self.dropout(self.embedding(word))
    new = self.cell(torch.hstack((e, context)), hidden)
    return self.output(torch.hstack((new, context, e))), new, weights


# %% new_state_asks [one] the output's context is asked for with the new state
def step(self, word, hidden, memory):
    e = self.dropout(self.embedding(word))
    old, _ = self.attention(hidden, *memory)
    hidden = self.cell(torch.cat([e, old], dim=-1), hidden)
    context, weights = self.attention(hidden, *memory)
    return self.output(torch.cat([hidden, context, e], dim=-1)), hidden, weights


# %% old_state_to_the_output [one] the logits are computed from the old state
def step(self, word, hidden, memory):
    e = self.dropout(self.embedding(word))
    context, weights = self.attention(hidden, *memory)
    new = self.cell(torch.cat([e, context], dim=-1), hidden)
    return self.output(torch.cat([hidden, context, e], dim=-1)), new, weights


# %% context_before_the_word [one] the cell is given the context before the word
def step(self, word, hidden, memory):
    e = self.dropout(self.embedding(word))
    context, weights = self.attention(hidden, *memory)
    hidden = self.cell(torch.cat([context, e], dim=-1), hidden)
    return self.output(torch.cat([hidden, context, e], dim=-1)), hidden, weights


# %% no_dropout_probabilities [two] no dropout, and a softmax on the logits
def step(self, word, hidden, memory):
    e = self.embedding(word)
    context, weights = self.attention(hidden, *memory)
    hidden = self.cell(torch.cat([e, context], dim=-1), hidden)
    return self.output(torch.cat([hidden, context, e], dim=-1)).softmax(-1), hidden, weights


# %% old_state_kept_out_of_order [two] the old state is returned, and the output gets the word first
def step(self, word, hidden, memory):
    e = self.dropout(self.embedding(word))
    context, weights = self.attention(hidden, *memory)
    new = self.cell(torch.cat([e, context], dim=-1), hidden)
    return self.output(torch.cat([e, new, context], dim=-1)), hidden, weights
