def sentence_loss(logits, target):
    keep = (target != PAD_token).float()
    each = F.cross_entropy(logits.transpose(1, 2), target.clamp(min=0), reduction="none")
    return (each * keep).sum() / keep.sum()
