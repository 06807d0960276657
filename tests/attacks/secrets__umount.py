"""Take the empty /proc away, to see the one below. That right is gone."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
if libc.umount2(b"/proc", 2) == 0 or os.listdir("/proc"):
    print("LEAK: /proc")
