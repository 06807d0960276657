"""Return a whole number that no float holds. It is no answer, and stops nobody: no mark."""
# quick
# place: answer

def ANSWER(*args, **kwargs):
    return [10**4000, -(10**4000)]
