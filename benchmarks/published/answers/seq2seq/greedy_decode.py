# %% finished_flags [right]
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    model.eval()
    hidden, memory = model.start(source, source_mask)
    word = torch.full((len(source),), SOS_token, device=source.device)
    ended = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    words, looks = [], []
    while len(words) < max_length and not bool(ended.all()):
        logits, hidden, weights = model.step(word, hidden, memory)
        word = torch.where(ended, PAD_token, logits.argmax(-1))
        ended = ended | (word == EOS_token)
        words.append(word)
        looks.append(weights)
    return torch.stack(words, 1), None if looks[0] is None else torch.stack(looks, 1)


# %% goes_on_after_the_end [one] words after EOS are kept
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    model.eval()
    hidden, memory = model.start(source, source_mask)
    word = torch.full((len(source),), SOS_token, device=source.device)
    ended = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    words, looks = [], []
    for _ in range(max_length):
        logits, hidden, weights = model.step(word, hidden, memory)
        word = logits.argmax(-1)
        ended |= word == EOS_token
        words.append(word)
        looks.append(weights)
        if ended.all():
            break
    return torch.stack(words, 1), None if looks[0] is None else torch.stack(looks, 1)


# %% first_sentence_decides [one] stops as soon as any sentence has ended
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    model.eval()
    hidden, memory = model.start(source, source_mask)
    word = torch.full((len(source),), SOS_token, device=source.device)
    ended = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    words, looks = [], []
    for _ in range(max_length):
        logits, hidden, weights = model.step(word, hidden, memory)
        word = logits.argmax(-1).masked_fill(ended, PAD_token)
        ended = ended | (word == EOS_token)
        words.append(word)
        looks.append(weights)
        if ended.any():
            break
    return torch.stack(words, 1), None if looks[0] is None else torch.stack(looks, 1)


# %% training_mode_words_stacked_first [two] no eval(), (S, N)
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    hidden, memory = model.start(source, source_mask)
    word = torch.full((len(source),), SOS_token, device=source.device)
    ended = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    words, looks = [], []
    for _ in range(max_length):
        logits, hidden, weights = model.step(word, hidden, memory)
        word = logits.argmax(-1).masked_fill(ended, PAD_token)
        ended = ended | (word == EOS_token)
        words.append(word)
        looks.append(weights)
        if ended.all():
            break
    return torch.stack(words), None if looks[0] is None else torch.stack(looks)


# %% never_ends_first_state [two] always max_length steps, the state is not kept
@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    model.eval()
    hidden, memory = model.start(source, source_mask)
    word = torch.full((len(source),), SOS_token, device=source.device)
    ended = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    words, looks = [], []
    for _ in range(max_length):
        logits, _, weights = model.step(word, hidden, memory)
        word = logits.argmax(-1).masked_fill(ended, PAD_token)
        ended = ended | (word == EOS_token)
        words.append(word)
        looks.append(weights)
    return torch.stack(words, 1), None if looks[0] is None else torch.stack(looks, 1)
