"""Return thousands of numbers, each of them by itself. They are compared with no mistake, and not for ever."""
# place: answer
# flag: no


def ANSWER(*args, **kwargs):
    return [1.0] * 9900
