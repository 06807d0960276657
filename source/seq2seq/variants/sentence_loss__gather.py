def sentence_loss(logits, target):
    mask = (target != PAD_token).to(logits.dtype)
    log_p = logits.log_softmax(dim=-1)
    picked = log_p.gather(2, target.clamp(min=0).unsqueeze(2)).squeeze(2)
    return -(picked * mask).sum() / mask.sum()
