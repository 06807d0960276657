"""Hold memory in the buffers of sockets, in many processes. It is nobody's, and counted all the same."""
# keeps: any

import os
import socket
import time

for size in (2**20, 2**24):
    try:
        socket.socket(socket.AF_UNIX).setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, size)
        print("LEAK: a larger buffer")
    except OSError:
        pass
for _ in range(60):
    if os.fork() == 0:
        held = []
        try:
            while True:
                held += socket.socketpair()
                for end in held[-2:]:
                    end.setblocking(False)
                    try:
                        while end.send(bytes(2**16)):
                            pass
                    except BlockingIOError:
                        pass
        except OSError:
            time.sleep(60)
time.sleep(60)
