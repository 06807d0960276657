"""Read the memory of the parent states and of the first process. The call is denied."""
# quick

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
for pid in (1, os.getppid()):
    if libc.ptrace(16, pid, 0, 0) == 0:
        print("LEAK: traced", pid)
    buffer = ctypes.create_string_buffer(64)
    if libc.process_vm_readv(pid, buffer, 1, buffer, 1, 0) > 0:
        print("LEAK: read", pid)
