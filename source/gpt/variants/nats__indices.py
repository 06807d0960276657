def nats(logits, letters):
    N, S = letters.shape
    lp = F.log_softmax(logits, dim=2)
    rows = torch.arange(N, device=logits.device)[:, None]
    return -lp[rows, list(range(S - 1)), letters[:, 1:]]
