@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    model.eval()
    N = source.shape[0]
    hidden, memory = model.start(source, source_mask)
    word = torch.zeros(N, dtype=torch.long, device=source.device) + SOS_token
    done = word != word
    table = torch.full((N, max_length), PAD_token, device=source.device)
    looks = []
    for i in range(max_length):
        scores, hidden, look = model.step(word, hidden, memory)
        best = scores.max(-1).indices
        table[:, i] = torch.where(done, PAD_token, best)
        looks += [look]
        done = done | (table[:, i] == EOS_token)
        word = best
        if bool(done.all()):
            break
    return table[:, : i + 1], (torch.stack(looks, 1) if looks[0] is not None else None)
