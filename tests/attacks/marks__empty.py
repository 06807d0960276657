"""Return nothing at all, in every form. Nothing is compared with something: no mark."""
# place: answer
# flag: no

import itertools

forms = itertools.cycle([{}, [], (), "", set()])


def ANSWER(*args, **kwargs):
    return next(forms)
