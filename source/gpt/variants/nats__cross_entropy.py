def nats(logits, letters):
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), letters[:, 1:], reduction="none")
