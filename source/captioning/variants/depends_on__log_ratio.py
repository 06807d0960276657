def depends_on(score, picture, patch, colour):
    y, x, s = patch
    hidden = picture + 0
    hidden[slice(y, y + s), slice(x, x + s)] = colour
    p, q = score(picture).exp(), score(hidden).exp()
    return torch.log(p / q)
