"""Take a higher priority. That right is gone."""

import os

for take in (lambda: os.nice(-20), lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))):
    try:
        take()
        print("LEAK: priority")
    except OSError:
        pass
