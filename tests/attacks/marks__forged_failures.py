"""Raise exceptions named like the examiner's own. Their names earn nothing: no mark."""
# place: answer
# flag: no

import itertools


class Stopped(Exception):
    failure = None


class NothingReturned(Exception):
    pass


texts = itertools.cycle(["{0} {name} %s", "\ud800\x1b[2J\x07", "passed", "<script>alert(1)</script>" * 99])


def ANSWER(*args, **kwargs):
    raise Stopped(next(texts))
