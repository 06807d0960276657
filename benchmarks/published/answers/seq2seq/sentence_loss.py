# %% ignore_index [right]
def sentence_loss(logits, target):
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD_token)


# %% chosen_words [right]
def sentence_loss(logits, target):
    words = target != PAD_token
    return F.cross_entropy(logits[words], target[words])


# %% log_sum_exp [one] gather looks up the padding, whose number is -1
def sentence_loss(logits, target):
    nats = logits.logsumexp(-1) - logits.gather(-1, target.unsqueeze(-1)).squeeze(-1)
    m = (target != PAD_token).to(nats.dtype)
    return (nats * m).sum() / m.sum()


# %% padding_counts [one] the padding's -1 reaches the cross-entropy
def sentence_loss(logits, target):
    return F.cross_entropy(logits.transpose(1, 2), target)


# %% sum_not_mean [one]
def sentence_loss(logits, target):
    return F.cross_entropy(logits.transpose(1, 2), target, ignore_index=PAD_token, reduction="sum")


# %% end_left_out [two] EOS does not count either, and the padding's -1 reaches the cross-entropy
def sentence_loss(logits, target):
    nats = F.cross_entropy(logits.transpose(1, 2), target, reduction="none")
    words = (target != PAD_token) & (target != EOS_token)
    return nats[words].mean()


# %% mean_of_sentence_means [one] short sentences weigh as much as long ones
def sentence_loss(logits, target):
    nats = F.cross_entropy(logits.transpose(1, 2), target, reduction="none", ignore_index=PAD_token)
    return (nats.sum(1) / (target != PAD_token).sum(1)).mean()


# %% softmax_twice_all_places [two] probabilities into the cross-entropy, and the padding's -1
def sentence_loss(logits, target):
    return F.cross_entropy(logits.softmax(-1).transpose(1, 2), target)


# %% bits_summed [two] logarithm to base 2, and the sum
def sentence_loss(logits, target):
    p = logits.softmax(-1).gather(2, target[..., None])[..., 0]
    return -(torch.log2(p) * (target != PAD_token)).sum()
