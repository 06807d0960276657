# %% ignore_index [right]
def sentence_loss(logits, target):
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=PAD_token)


# %% picked_words [right]
def sentence_loss(logits, target):
    words = target != PAD_token
    log_p = logits[words].log_softmax(dim=-1)
    return -log_p[torch.arange(len(log_p), device=log_p.device), target[words]].mean()


# %% logsumexp_and_sum [right]
def sentence_loss(logits, target):
    is_word = target.ne(PAD_token)
    own = logits.gather(2, target.clamp(min=0).unsqueeze(2)).squeeze(2)
    loss = torch.logsumexp(logits, dim=2) - own
    return (loss * is_word).sum() / is_word.sum()


# %% sum_over_sentences [right]
def sentence_loss(logits, target):
    total, count = 0.0, 0
    for scores, sentence in zip(logits, target):
        length = int((sentence != PAD_token).sum())
        total = total + F.nll_loss(F.log_softmax(scores[:length], -1), sentence[:length], reduction="sum")
        count += length
    return total / count


# %% mean_of_means [one] a mean for each sentence, then the mean of these
def sentence_loss(logits, target):
    mask = (target != PAD_token).float()
    loss = F.cross_entropy(logits.transpose(1, 2), target, ignore_index=PAD_token, reduction="none")
    return ((loss * mask).sum(1) / mask.sum(1)).mean()


# %% over_all_places [one] the sum is divided by all places, padding included
def sentence_loss(logits, target):
    mask = target != PAD_token
    loss = F.cross_entropy(logits.transpose(1, 2), target.clamp(min=0), reduction="none")
    return (loss * mask).mean()


# %% eos_left_out [one] EOS is left out as well
def sentence_loss(logits, target):
    keep = (target != PAD_token) & (target != EOS_token)
    return F.cross_entropy(logits[keep], target[keep])


# %% summed_in_bits [two] the sum instead of the mean, in bits
def sentence_loss(logits, target):
    keep = target != PAD_token
    return F.cross_entropy(logits[keep], target[keep], reduction="sum") / math.log(2)
