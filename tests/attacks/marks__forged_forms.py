"""Answer in forms that no honest end sends. Each is refused as that test's answer: no mark."""
# quick
# place: answer

import itertools

from autograder_sandbox import wire

forms = [{"tensor": []}, {"tensor": "9"}, {"ref": "1"}, {"ref": 10**300}, [{"ref": 1}], {"dtype": "\ud800"}]
forms += [{"dtype": "nn"}, {"tuple": 5}, {"dict": []}, {"dict": {"approx": "x"}}, {"a": 1, "b": 2}, "x" * 9999]
forms += [eval("[" * 50 + "]" * 50), ["x"] * 20000]
forged = itertools.cycle(forms)
wire.pack = lambda *args: next(forged)


def ANSWER(*args, **kwargs):
    return 1.0
