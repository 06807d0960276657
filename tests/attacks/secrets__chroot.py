"""Leave the folder tree by chroot, or by handles of files. Those rights are gone."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
try:
    os.chroot("/scratch")
    print("LEAK: chroot")
except OSError:
    pass
if libc.syscall(304, -100, b"", 0) >= 0 or libc.setns(0, 0) == 0:
    print("LEAK: handle")
