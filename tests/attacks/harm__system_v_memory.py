"""Take System V shared memory, which outlives its process. The call is denied."""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
if libc.shmget(0, 2**30, 0o1600) >= 0 or libc.msgget(0, 0o1600) >= 0:
    print("LEAK: memory without limit")
