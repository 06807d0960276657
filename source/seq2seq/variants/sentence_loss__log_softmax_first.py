def sentence_loss(logits, target):
    # cross_entropy of log-probabilities is right too: a second log_softmax changes nothing
    log_p = F.log_softmax(logits, dim=2)
    return F.cross_entropy(log_p.reshape(-1, log_p.shape[2]), target.reshape(-1), ignore_index=PAD_token)
