"""Raise SystemExit while a test runs. It is the student's error: no mark."""
# place: answer

def ANSWER(*args, **kwargs):
    raise SystemExit(0)
