"""End the sandbox's first process, by every signal there is. It has no handler, so that the kernel does not let it."""
# quick

import os
import signal

for _ in range(3):
    for number in sorted(signal.valid_signals()):
        os.kill(1, number)
