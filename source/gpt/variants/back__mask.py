def back(weights, k):
    S = weights.shape[-1]
    place = torch.arange(S, device=weights.device)
    here = place[:, None] - place[None, :] == k
    return weights[:, :, here].mean(dim=(0, 2))
