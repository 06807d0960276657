"""Fork without end. All processes of the cell are ended."""
# slow

import os

while True:
    try:
        os.fork()
    except OSError:
        pass
