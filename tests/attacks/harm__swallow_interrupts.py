"""Go on in spite of every interrupt. The process is killed, which nothing swallows."""

import signal

for number in range(1, 64):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
