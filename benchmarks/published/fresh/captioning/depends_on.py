# %% mask_of_places [right]
def depends_on(score, picture, patch, colour):
    top, left, size = patch
    rows = torch.arange(picture.shape[0], device=picture.device)[:, None, None]
    columns = torch.arange(picture.shape[1], device=picture.device)[None, :, None]
    inside = (rows >= top) & (rows < top + size) & (columns >= left) & (columns < left + size)
    return score(picture) - score(torch.where(inside, colour, picture))


# %% clone_and_loop [right]
def depends_on(score, picture, patch, colour):
    top, left, size = patch
    before = score(picture)
    hidden = picture.detach().clone()
    for channel in range(3):
        hidden[top : top + size, left : left + size, channel] = colour[channel]
    with torch.no_grad():
        after = score(hidden)
    return -(after - before)


# %% painted_and_put_back [right]
def depends_on(score, picture, patch, colour):
    (t, l, n) = patch
    whole = score(picture)
    copied = torch.empty_like(picture).copy_(picture)
    square = copied[t : t + n, l : l + n]
    square.copy_(colour.expand_as(square))
    return torch.sub(whole, score(copied))


# %% rows_and_columns [one] left is used for the rows and top for the columns
def depends_on(score, picture, patch, colour):
    top, left, size = patch
    hidden = picture.clone()
    hidden[left : left + size, top : top + size] = colour
    return score(picture) - score(hidden)


# %% rise_instead_of_fall [one] the sign is wrong: hidden minus whole
def depends_on(score, picture, patch, colour):
    top, left, size = patch
    hidden = picture.clone()
    hidden[top : top + size, left : left + size, :] = colour
    return score(hidden) - score(picture)


# %% never_below_zero [one] values below 0 are set to 0
def depends_on(score, picture, patch, colour):
    top, left, size = patch
    hidden = picture.clone()
    hidden[top : top + size, left : left + size] = colour
    return (score(picture) - score(hidden)).clamp(min=0)


# %% painted_black_one_too_large [two] painted black, and the square is one point too large
def depends_on(score, picture, patch, colour):
    top, left, size = patch
    hidden = picture.clone()
    hidden[top : top + size + 1, left : left + size + 1] = 0
    return score(picture) - score(hidden)


# %% original_painted_probabilities [two] the picture itself is painted, and probabilities are subtracted
def depends_on(score, picture, patch, colour):
    top, left, size = patch
    before = score(picture).exp()
    picture[top : top + size, left : left + size] = colour
    return before - score(picture).exp()
