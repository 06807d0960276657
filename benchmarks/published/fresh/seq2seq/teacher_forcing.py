# %% list_of_logits [right]
def decode_with_teacher(model, source, source_mask, target, ratio):
    hidden, memory = model.start(source, source_mask)
    word = torch.full((source.shape[0],), SOS_token, dtype=torch.long, device=source.device)
    steps = []
    for i in range(target.shape[1]):
        logits, hidden, _ = model.step(word, hidden, memory)
        steps.append(logits)
        word = target[:, i] if random.random() < ratio else logits.argmax(dim=-1)
    return torch.stack(steps, dim=1)


# %% input_chosen_at_the_top [right]
def decode_with_teacher(model, source, source_mask, target, ratio):
    hidden, memory = model.start(source, source_mask)
    outputs = []
    for i in range(target.size(1)):
        if i == 0:
            word = torch.empty_like(target[:, 0]).fill_(SOS_token)
        elif random.random() < ratio:
            word = target[:, i - 1]
        else:
            word = outputs[-1].squeeze(1).max(dim=1)[1]
        logits, hidden, weights = model.step(word, hidden, memory)
        outputs.append(logits.unsqueeze(1))
    return torch.cat(outputs, 1)


# %% columns_of_a_shifted_target [right]
def decode_with_teacher(model, source, source_mask, target, ratio):
    state, memory = model.start(source, source_mask)
    first = torch.ones_like(target[:, :1]) * SOS_token
    teacher = torch.cat([first, target[:, :-1]], dim=1).unbind(dim=1)
    everything, logits = [], None
    for i, given in enumerate(teacher):
        if i and random.random() >= ratio:
            given = torch.argmax(logits.detach(), dim=-1)
        logits, state, _ = model.step(given, state, memory)
        everything.append(logits)
    return torch.stack(everything).transpose(0, 1)


# %% own_word_given_ahead [one] step i is given the word it has to write
def decode_with_teacher(model, source, source_mask, target, ratio):
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(target[:, 0], SOS_token)
    out = []
    for i in range(target.shape[1]):
        if random.random() < ratio:
            word = target[:, i]
        logits, hidden, _ = model.step(word, hidden, memory)
        out.append(logits)
        word = logits.argmax(-1)
    return torch.stack(out, 1)


# %% ratio_reversed [one] the ratio is the probability of the own word
def decode_with_teacher(model, source, source_mask, target, ratio):
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(target[:, 0], SOS_token)
    out = []
    for i in range(target.shape[1]):
        logits, hidden, _ = model.step(word, hidden, memory)
        out.append(logits)
        word = logits.argmax(-1) if random.random() < ratio else target[:, i]
    return torch.stack(out, 1)


# %% state_not_kept [one] every step begins with the first state
def decode_with_teacher(model, source, source_mask, target, ratio):
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(target[:, 0], SOS_token)
    out = []
    for i in range(target.shape[1]):
        logits, _, _ = model.step(word, hidden, memory)
        out.append(logits)
        word = target[:, i] if random.random() < ratio else logits.argmax(-1)
    return torch.stack(out, 1)


# %% eos_first_steps_first [two] begins with EOS, and the steps are the first axis
def decode_with_teacher(model, source, source_mask, target, ratio):
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(target[:, 0], EOS_token)
    out = []
    for i in range(target.shape[1]):
        logits, hidden, _ = model.step(word, hidden, memory)
        out.append(logits)
        word = target[:, i] if random.random() < ratio else logits.argmax(-1)
    return torch.stack(out)


# %% always_teacher_one_short [two] the ratio is ignored, and the last step is missing
def decode_with_teacher(model, source, source_mask, target, ratio):
    hidden, memory = model.start(source, source_mask)
    word = torch.full_like(target[:, 0], SOS_token)
    out = []
    for i in range(target.shape[1] - 1):
        logits, hidden, _ = model.step(word, hidden, memory)
        out.append(logits)
        word = target[:, i]
    return torch.stack(out, 1)
