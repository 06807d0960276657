def sentence_loss(logits, target):
    mask = target.ne(PAD_token)
    z, y = logits[mask], target[mask]
    return (torch.logsumexp(z, 1) - z.gather(1, y[:, None])[:, 0]).mean()
