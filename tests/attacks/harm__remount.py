"""Make read-only places writable again. That right is gone."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
for place in (b"/", b"/workbook/utils", b"/usr"):
    if libc.mount(None, place, None, 32 | 4096, None) == 0:
        print("LEAK: remounted", place)
for path in ("/workbook/utils/__init__.py", "/usr/bin/env"):
    try:
        os.chmod(path, 0o777)
        print("LEAK: changed", path)
    except OSError:
        pass
