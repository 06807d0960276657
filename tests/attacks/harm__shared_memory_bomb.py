"""Take shared memory, which no limit of the kernel counts. We count it."""

import mmap

hoard = mmap.mmap(-1, 3 * 2**30)
for place in range(0, len(hoard), 4096):
    hoard[place] = 1
