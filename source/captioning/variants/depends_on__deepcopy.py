import copy


def depends_on(score, picture, patch, colour):
    (top, left, size), without = patch, copy.deepcopy(picture)
    without[top : top + size, left : left + size, :] = colour.view(1, 1, 3)
    with torch.no_grad():
        return -(score(without) - score(picture))
