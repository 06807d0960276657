def attend(scores, states, mask):
    hidden = torch.zeros_like(scores).masked_fill(torch.logical_not(mask), float("-inf"))
    weights = torch.softmax(scores + hidden, 1)
    context = (states.transpose(1, 2) @ weights.unsqueeze(-1)).squeeze(-1)
    return [context, weights]
