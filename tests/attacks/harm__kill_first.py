"""Kill the sandbox's first process, and stop it. The kernel does not let it."""
# keeps: any

import os
import signal

for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
    os.kill(1, number)
