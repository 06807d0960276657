"""Read the kernel's log and the machine's name. Both are closed."""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(4096)
if libc.klogctl(3, buffer, 4096) > 0:
    print("LEAK", buffer.value[:99])
