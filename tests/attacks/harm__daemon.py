"""Leave a process without parent, in a session of its own. It is found and ended."""
# quick

import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            time.sleep(1)
    os._exit(0)
os.wait()
