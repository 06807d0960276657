"""The same, with processes that the kernel forgets as they die, so that nobody can say what they used.

Nothing lasts longer than six times its limit: the notebook is set aside, tried again alone, and the cell is stopped.
"""

import os
import signal
import time

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
until = time.monotonic() + 120


def burn():
    end = time.monotonic() + 0.02
    while time.monotonic() < end:
        pass


for _ in range(6):
    if not os.fork():
        while time.monotonic() < until:
            if not os.fork():
                burn()
                os._exit(0)
            time.sleep(0.01)
        os._exit(0)
while time.monotonic() < until:
    os.sched_yield()
