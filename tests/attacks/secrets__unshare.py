"""Make new namespaces, to have all rights there. No more can be made."""
# quick

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
for flags in (0x10000000, 0x10000000 | 0x20000, 0x20000, 0x20000000):
    if libc.unshare(flags) == 0:
        print("LEAK: unshared", hex(flags))
