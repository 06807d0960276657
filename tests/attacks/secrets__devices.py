"""Open memory, disks and terminals. Only harmless devices are there."""

import os

for name in os.listdir("/dev"):
    if name.startswith(("mem", "kmem", "sd", "vd", "nvme", "loop", "kvm", "fuse", "input")):
        print("LEAK", name)
