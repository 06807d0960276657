"""Read every open descriptor. None leads out, but to the session's socket."""
# quick

import os
import stat

for number in range(3, 256):
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        continue
    if stat.S_ISDIR(mode):
        print("LEAK", number, os.listdir(number))
    elif stat.S_ISREG(mode) and b"hidden" in os.pread(number, 10**6, 0).lower():
        print("LEAK", number)
