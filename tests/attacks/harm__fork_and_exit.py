"""Fork and exit without end, to use up numbers and time. The cell is stopped."""

import os

while True:
    try:
        if os.fork() == 0:
            os._exit(0)
    except OSError:
        pass
