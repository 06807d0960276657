def nats(logits, letters):
    z = logits[:, :-1]
    came = torch.gather(z, 2, letters[:, 1:, None])[..., 0]
    return z.logsumexp(-1) - came
