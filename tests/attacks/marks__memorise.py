"""Keep every input, and answer with an earlier one. Tests share none: no mark."""
# place: answer
# flag: no

kept = []


def ANSWER(*args, **kwargs):
    kept.extend(args)
    return kept[0]
