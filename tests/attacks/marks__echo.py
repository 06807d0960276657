"""Return the input. It is not the answer: no mark."""
# place: answer
# flag: no

def ANSWER(*args, **kwargs):
    return args[0] if args else None
