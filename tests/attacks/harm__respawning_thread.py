"""Start processes from a thread that outlives its cell. They are ended with it."""
# keeps: any

import os
import threading
import time


def respawn():
    while True:
        try:
            if os.fork() == 0:
                time.sleep(3600)
        except OSError:
            pass
        time.sleep(0.01)


threading.Thread(target=respawn, daemon=True).start()
