"""Fill the kernel's memory with locks on single bytes of a file, which no limit counts. Such locks are refused."""
# flag: no
# quick

import fcntl
import os
import struct

F_OFD_SETLK = 37
held = 0
file = os.open("/scratch/locked", os.O_RDWR | os.O_CREAT)
for kind in (fcntl.F_SETLK, F_OFD_SETLK):
    for start in range(0, 20_000, 2):
        try:
            fcntl.fcntl(file, kind, struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, start, 1, 0))
            held += 1
        except OSError:
            break
if held > 100:
    print("LEAK: holds", held, "locks")
