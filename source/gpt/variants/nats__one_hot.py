def nats(logits, letters):
    came = F.one_hot(letters[:, 1:], logits.shape[-1]).to(logits.dtype)
    return logits[:, :-1].logsumexp(-1) - (came * logits[:, :-1]).sum(-1)
