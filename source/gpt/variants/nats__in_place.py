def nats(logits, letters):
    logits -= logits.max(-1, keepdim=True)[0]
    z = logits[:, :-1]
    p = z - z.exp().sum(-1, keepdim=True).log()
    return -p.take_along_dim(letters[:, 1:].unsqueeze(-1), dim=-1).squeeze(-1)
