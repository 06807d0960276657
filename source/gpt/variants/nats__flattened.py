def nats(logits, letters):
    N, S, V = logits.shape
    loss = nn.CrossEntropyLoss(reduction="none")(logits[:, :-1].reshape(-1, V), letters[:, 1:].reshape(-1))
    return loss.view(N, S - 1)
