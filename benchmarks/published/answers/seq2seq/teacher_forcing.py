# %% shifted_target [right]
def decode_with_teacher(model, source, source_mask, target, ratio):
    N, S = target.shape
    given = torch.cat([torch.full_like(target[:, :1], SOS_token), target[:, :-1]], dim=1)
    hidden, memory = model.start(source, source_mask)
    rows = []
    for i in range(S):
        teach = i == 0 or random.random() < ratio
        word = given[:, i] if teach else rows[-1].argmax(-1)
        logits, hidden, _ = model.step(word, hidden, memory)
        rows.append(logits)
    return torch.stack(rows, 1)


# %% given_its_own_answer [one] step i is given target[:, i]
def decode_with_teacher(model, source, source_mask, target, ratio):
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(target[:, 0], SOS_token)
    rows = []
    for i in range(target.shape[1]):
        if random.random() < ratio:
            word = target[:, i]
        logits, hidden, _ = model.step(word, hidden, memory)
        rows.append(logits)
        word = logits.argmax(-1)
    return torch.stack(rows, 1)


# %% state_not_kept [one] each step starts from the first state
def decode_with_teacher(model, source, source_mask, target, ratio):
    start, memory = model.start(source, source_mask)
    word = torch.full_like(target[:, 0], SOS_token)
    rows = []
    for i in range(target.shape[1]):
        logits, hidden, weights = model.step(word, start, memory)
        rows.append(logits)
        word = target[:, i] if random.random() < ratio else logits.argmax(dim=-1)
    return torch.stack(rows, dim=1)


# %% no_start_stacked_first [two] begins with target[:, 0], steps on the first axis
def decode_with_teacher(model, source, source_mask, target, ratio):
    hidden, memory = model.start(source, source_mask)
    word = target[:, 0]
    rows = []
    for i in range(target.shape[1]):
        logits, hidden, weights = model.step(word, hidden, memory)
        rows.append(logits)
        word = target[:, i] if random.random() < ratio else logits.argmax(dim=-1)
    return torch.stack(rows)


# %% ratio_reversed_least_likely [two] ratio the wrong way round, argmin
def decode_with_teacher(model, source, source_mask, target, ratio):
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(target[:, 0], SOS_token)
    rows = []
    for i in range(target.shape[1]):
        logits, hidden, weights = model.step(word, hidden, memory)
        rows.append(logits)
        word = target[:, i] if random.random() > ratio else logits.argmin(dim=-1)
    return torch.stack(rows, dim=1)
