"""Put something else where the session's socket is. The state cannot answer, and is given up."""

import os

pipe = os.pipe()
for number in range(3, 64):
    if number not in pipe:
        try:
            os.fstat(number)
            os.dup2(pipe[1], number)
        except OSError:
            pass
