def attend(scores, states, mask):
    scores = scores.clone()
    scores[mask == False] = torch.finfo(scores.dtype).min
    weights = nn.Softmax(dim=1)(scores)
    context = torch.matmul(weights.unsqueeze(-2), states)[:, 0, :]
    return context, weights
