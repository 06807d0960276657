import warnings


def sentence_loss(logits, target):
    warnings.warn("a warning costs nothing")
    per_word = F.cross_entropy(logits.transpose(1, 2), target, ignore_index=PAD_token, reduction="none")
    return per_word.sum() / (target != PAD_token).sum()
