"""Mount /proc again. That right is gone."""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
for source, target, kind in ((b"proc", b"/proc", b"proc"), (b"proc", b"/scratch", b"proc"), (b"sysfs", b"/scratch", b"sysfs")):
    if libc.mount(source, target, kind, 0, None) == 0:
        print("LEAK: mounted", kind)
