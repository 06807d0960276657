# %% cross_entropy [right]
def nats(logits, letters):
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), letters[:, 1:], reduction="none")


# %% same_place [one] the scores are compared with the letter that they were given after
def nats(logits, letters):
    return F.cross_entropy(logits[:, 1:].transpose(1, 2), letters[:, 1:], reduction="none")


# %% bits_averaged [two] base 2, and the mean
def nats(logits, letters):
    p = logits[:, :-1].softmax(-1).gather(2, letters[:, 1:, None])
    return -p.log2().mean()
