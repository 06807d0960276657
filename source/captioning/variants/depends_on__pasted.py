def depends_on(score, picture, patch, colour):
    top, left, size = patch
    paint = colour.expand(size, size, 3)
    middle = picture[top : top + size]
    strip = torch.cat([middle[:, :left], paint, middle[:, left + size :]], dim=1)
    hidden = torch.cat([picture[:top], strip, picture[top + size :]], dim=0)
    return torch.sub(score(picture), score(hidden))
