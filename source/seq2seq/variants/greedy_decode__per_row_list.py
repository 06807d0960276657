def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    model.eval()
    with torch.no_grad():
        hidden, memory = model.start(source, source_mask)
        word = torch.LongTensor([SOS_token] * len(source)).to(source.device)
        ended = [False] * len(source)
        words, looks = [], []
        while len(words) < max_length and not all(ended):
            logits, hidden, look = model.step(word, hidden, memory)
            chosen = [PAD_token if over else int(row.argmax()) for row, over in zip(logits, ended)]
            ended = [over or w == EOS_token for w, over in zip(chosen, ended)]
            word = torch.tensor(chosen, device=source.device)
            words.append(word)
            looks.append(look)
    weights = None if any(look is None for look in looks) else torch.stack(looks, dim=1)
    return torch.stack(words, dim=1), weights
