def depends_on(score, picture, patch, colour):
    height, width, _ = picture.shape
    top, left, size = patch
    inside = torch.zeros(height, width, 1, dtype=torch.bool, device=picture.device)
    inside[top : top + size, left : left + size] = True
    painted = torch.where(inside, colour, picture)
    return score(picture) - score(painted)
