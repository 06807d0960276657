# %% masked_fill [right]
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    """The likeliest word at each step: source (N, T), source_mask (N, T) -> words (N, S), weights (N, S, T) or None."""
    model.eval()
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(source[:, 0], SOS_token)  # (N,)
    ended = torch.zeros_like(word, dtype=torch.bool)  # (N,)
    words, looks = [], []
    for _ in range(max_length):
        logits, hidden, weights = model.step(word, hidden, memory)
        word = logits.argmax(dim=-1).masked_fill(ended, PAD_token)
        ended = ended | (word == EOS_token)
        words.append(word)
        looks.append(weights)  # (N, T), or None where the model returns none
        if ended.all():
            break
    return torch.stack(words, dim=1), None if looks[0] is None else torch.stack(looks, dim=1)


# %% where_and_logical_or [right]
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    """The likeliest word at each step: source (N, T), source_mask (N, T) -> words (N, S), weights (N, S, T) or None."""
    model.eval()
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(source[:, 0], SOS_token)  # (N,)
    ended = torch.zeros_like(word, dtype=torch.bool)  # (N,)
    words, looks = [], []
    for _ in range(max_length):
        logits, hidden, weights = model.step(word, hidden, memory)
        best = torch.topk(logits, k=1, dim=1).indices[:, 0]
        word = torch.where(ended, torch.full_like(best, PAD_token), best)
        ended = torch.logical_or(ended, word.eq(EOS_token))
        words.append(word)
        looks.append(weights)  # (N, T), or None where the model returns none
        if ended.all():
            break
    return torch.stack(words, dim=1), None if looks[0] is None else torch.stack(looks, dim=1)


# %% list_of_words [right]
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    """The likeliest word at each step: source (N, T), source_mask (N, T) -> words (N, S), weights (N, S, T) or None."""
    model.eval()
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(source[:, 0], SOS_token)  # (N,)
    ended = torch.zeros_like(word, dtype=torch.bool)  # (N,)
    words, looks = [], []
    for _ in range(max_length):
        logits, hidden, weights = model.step(word, hidden, memory)
        word = logits.log_softmax(dim=-1).max(dim=-1)[1]
        word[ended] = PAD_token
        ended = ended + (word == EOS_token)
        words.append(word)
        looks.append(weights)  # (N, T), or None where the model returns none
        if ended.all():
            break
    return torch.stack(words, dim=1), None if looks[0] is None else torch.stack(looks, dim=1)


# %% in_place_or [right]
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    """The likeliest word at each step: source (N, T), source_mask (N, T) -> words (N, S), weights (N, S, T) or None."""
    model.eval()
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(source[:, 0], SOS_token)  # (N,)
    ended = torch.zeros_like(word, dtype=torch.bool)  # (N,)
    words, looks = [], []
    for _ in range(max_length):
        logits, hidden, weights = model.step(word, hidden, memory)
        word = torch.argmax(logits, 1) * ~ended + PAD_token * ended
        ended |= word == EOS_token
        words.append(word)
        looks.append(weights)  # (N, T), or None where the model returns none
        if ended.all():
            break
    return torch.stack(words, dim=1), None if looks[0] is None else torch.stack(looks, dim=1)


# %% eos_swallowed [one] EOS itself becomes PAD: ended is updated before the words are padded
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    """The likeliest word at each step: source (N, T), source_mask (N, T) -> words (N, S), weights (N, S, T) or None."""
    model.eval()
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(source[:, 0], SOS_token)  # (N,)
    ended = torch.zeros_like(word, dtype=torch.bool)  # (N,)
    words, looks = [], []
    for _ in range(max_length):
        logits, hidden, weights = model.step(word, hidden, memory)
        word = logits.argmax(dim=-1)
        ended = ended | (word == EOS_token)
        word = torch.where(ended, PAD_token, word)
        words.append(word)
        looks.append(weights)  # (N, T), or None where the model returns none
        if ended.all():
            break
    return torch.stack(words, dim=1), None if looks[0] is None else torch.stack(looks, dim=1)


# %% ended_forgets [one] ended holds only for the words of this step
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    """The likeliest word at each step: source (N, T), source_mask (N, T) -> words (N, S), weights (N, S, T) or None."""
    model.eval()
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(source[:, 0], SOS_token)  # (N,)
    ended = torch.zeros_like(word, dtype=torch.bool)  # (N,)
    words, looks = [], []
    for _ in range(max_length):
        logits, hidden, weights = model.step(word, hidden, memory)
        word = logits.argmax(dim=-1).masked_fill(ended, PAD_token)
        ended = word == EOS_token
        words.append(word)
        looks.append(weights)  # (N, T), or None where the model returns none
        if ended.all():
            break
    return torch.stack(words, dim=1), None if looks[0] is None else torch.stack(looks, dim=1)


# %% eos_after_the_end [one] sentences that have ended write EOS instead of PAD
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    """The likeliest word at each step: source (N, T), source_mask (N, T) -> words (N, S), weights (N, S, T) or None."""
    model.eval()
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(source[:, 0], SOS_token)  # (N,)
    ended = torch.zeros_like(word, dtype=torch.bool)  # (N,)
    words, looks = [], []
    for _ in range(max_length):
        logits, hidden, weights = model.step(word, hidden, memory)
        word = torch.where(ended, EOS_token, logits.argmax(dim=-1))
        ended = ended | (word == EOS_token)
        words.append(word)
        looks.append(weights)  # (N, T), or None where the model returns none
        if ended.all():
            break
    return torch.stack(words, dim=1), None if looks[0] is None else torch.stack(looks, dim=1)


# %% least_likely_never_padded [two] the least likely word, and no padding after the end
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    """The likeliest word at each step: source (N, T), source_mask (N, T) -> words (N, S), weights (N, S, T) or None."""
    model.eval()
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(source[:, 0], SOS_token)  # (N,)
    ended = torch.zeros_like(word, dtype=torch.bool)  # (N,)
    words, looks = [], []
    for _ in range(max_length):
        logits, hidden, weights = model.step(word, hidden, memory)
        word = logits.argmin(dim=-1)
        ended = ended | (word == EOS_token)
        words.append(word)
        looks.append(weights)  # (N, T), or None where the model returns none
        if ended.all():
            break
    return torch.stack(words, dim=1), None if looks[0] is None else torch.stack(looks, dim=1)


# %% sampled_state_lost [two] the word is drawn at random, and the new state is not kept
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    """The likeliest word at each step: source (N, T), source_mask (N, T) -> words (N, S), weights (N, S, T) or None."""
    model.eval()
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(source[:, 0], SOS_token)  # (N,)
    ended = torch.zeros_like(word, dtype=torch.bool)  # (N,)
    words, looks = [], []
    for _ in range(max_length):
        logits, _, weights = model.step(word, hidden, memory)
        word = torch.multinomial(logits.softmax(-1), 1).squeeze(1).masked_fill(ended, PAD_token)
        ended = ended | (word == EOS_token)
        words.append(word)
        looks.append(weights)  # (N, T), or None where the model returns none
        if ended.all():
            break
    return torch.stack(words, dim=1), None if looks[0] is None else torch.stack(looks, dim=1)
