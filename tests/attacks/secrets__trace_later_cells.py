"""Trace what runs later, for sources of exams. Only calls of the student's objects come in."""

import sys


def trace(frame, event, argument):
    if "/exams/" in frame.f_code.co_filename:
        raise SystemExit(f"LEAK {frame.f_code.co_filename}")
    return trace


sys.settrace(trace)
