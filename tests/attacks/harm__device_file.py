"""Make a device file of the disk. That right is gone."""

import os
import stat

try:
    os.mknod("disk", 0o600 | stat.S_IFBLK, os.makedev(8, 0))
    open("disk", "rb").read(1)
    print("LEAK: disk")
except OSError:
    pass
