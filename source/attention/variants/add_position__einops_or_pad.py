def add_position(x, encoding):
    padded = nn.functional.pad(x, (0, 0, 0, len(encoding)))  # zeros below the channels
    shift = nn.functional.pad(encoding, (0, 0, x.shape[1], 0))
    return padded + shift
