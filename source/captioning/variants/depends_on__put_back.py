def depends_on(score, picture, patch, colour):
    whole = score(picture).clone()
    top, left, size = patch
    square = picture[top : top + size, left : left + size]
    kept = square.clone()
    square[:] = colour
    fall = whole - score(picture)
    square.copy_(kept)
    return fall
