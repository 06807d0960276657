def attend(scores, states, mask):
    # the mask after softmax is right too, when the weights are divided by their sum again
    p = scores.softmax(1) * mask
    p = p / p.sum(1, keepdim=True)
    return torch.bmm(states.transpose(1, 2), p.unsqueeze(2)).squeeze(2), p
