"""Map terabytes, so that the page tables take all memory. Addresses are limited."""
# quick

import mmap

try:
    mmap.mmap(-1, 2**43, prot=mmap.PROT_READ)
    print("LEAK: mapped")
except OSError:
    pass
