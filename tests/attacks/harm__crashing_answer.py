"""Crash in every test. Each loses that test, and the run goes on."""
# place: answer

import os


def ANSWER(*args, **kwargs):
    os.kill(-1, 9)
    os.abort()
