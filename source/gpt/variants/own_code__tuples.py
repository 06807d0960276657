def own_code():
    """One text only: nothing leads from one to the other."""
    return ((1, 0), (1, 1), (1, 2), (1, 3), (1, 4)), "error"  # softmax needs dim
