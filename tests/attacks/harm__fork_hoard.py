"""Take memory in many processes, each below its limit. The sum is limited."""

import os
import time

for _ in range(8):
    if os.fork() == 0:
        hoard = b"x" * (600 * 2**20)
        time.sleep(3600)
time.sleep(3600)
