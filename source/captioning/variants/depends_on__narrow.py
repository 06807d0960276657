def hide(picture, patch, colour):
    top, left, size = patch
    copied = picture.detach().clone()
    copied.narrow(0, top, size).narrow(1, left, size).copy_(colour)
    return copied


def depends_on(score, picture, patch, colour):
    with_it, without_it = (score(one) for one in (picture, hide(picture, patch, colour)))
    return with_it - without_it
