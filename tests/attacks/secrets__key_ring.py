"""Read the kernel's key rings, which sessions of one user share. The call is denied."""
# quick

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
KEYCTL, ADD_KEY = 250, 248
for ring in (-2, -3, -4, -5):
    if libc.syscall(KEYCTL, 0, ring, 1) >= 0:
        print("LEAK: ring", ring)
if libc.syscall(ADD_KEY, b"user", b"for_the_next", b"42", 2, -3) >= 0:
    print("LEAK: left a key for the next")
