def depends_on(score, picture, patch, colour):
    rows = torch.arange(picture.shape[0], device=picture.device)[:, None]
    columns = torch.arange(picture.shape[1], device=picture.device)[None]
    top, left, size = patch
    keep = ~((rows >= top) & (rows < top + size) & (columns >= left) & (columns < left + size))
    keep = keep[..., None].to(picture.dtype)
    return score(picture) - score(picture * keep + colour * (1 - keep))
