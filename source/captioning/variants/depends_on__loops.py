def depends_on(score, picture, patch, colour):
    hidden = torch.clone(picture)
    for row in range(patch[0], patch[0] + patch[2]):
        for column in range(patch[1], patch[1] + patch[2]):
            for channel in range(3):
                hidden[row, column, channel] = colour[channel]
    before = score(picture)
    after = score(hidden)
    return torch.stack([b - a for b, a in zip(before, after)])
