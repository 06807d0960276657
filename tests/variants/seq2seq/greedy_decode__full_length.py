def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    model.eval()
    N = source.shape[0]
    words = torch.full((N, max_length), PAD_token)
    all_weights = []
    with torch.no_grad():
        hidden, memory = model.start(source, source_mask)
        word = torch.full((N,), SOS_token, dtype=torch.long)
        done = torch.zeros(N, dtype=torch.bool)
        for i in range(max_length):
            logits, hidden, w = model.step(word, hidden, memory)
            word = logits.argmax(-1)
            words[:, i] = torch.where(done, torch.full_like(word, PAD_token), word)
            done |= word == EOS_token
            all_weights.append(w)
    return words, None if all_weights[0] is None else torch.stack(all_weights, 1)
