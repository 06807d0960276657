def sentence_loss(logits, target):
    real = target != PAD_token
    return nn.CrossEntropyLoss()(logits[real], target[real])
