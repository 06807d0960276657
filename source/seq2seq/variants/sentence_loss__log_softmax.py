def sentence_loss(logits, target):
    words = target != PAD_token
    logp = logits.log_softmax(-1)[words]
    return -logp[range(len(logp)), target[words]].mean()
