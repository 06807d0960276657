"""Use up terminals. What is opened closes with the state."""

import os

hoard = []
try:
    while len(hoard) < 100:
        hoard.append(os.openpty())
except OSError:
    pass
os._exit(0)
