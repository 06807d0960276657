"""Signal every process number. Only this session's are in sight."""
# keeps: any

import os

for pid in range(2, 5000):
    if pid != os.getpid():
        try:
            os.kill(pid, 9)
        except OSError:
            pass
