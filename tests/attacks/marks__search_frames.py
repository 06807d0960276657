"""Look for the expected value on the call stack. It is in another process: no mark."""
# place: answer

import sys


def ANSWER(*args, **kwargs):
    frame, found = sys._getframe(), []
    while frame:
        found += [value for name, value in frame.f_locals.items() if "expect" in name or "reference" in name]
        frame = frame.f_back
    if found:
        raise ValueError(f"LEAK {found}")
    return found
