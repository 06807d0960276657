"""Look for what submissions beside this one left, then leave the same: files, names, ports, locks. Nobody else's is there."""
# quick

import contextlib
import fcntl
import os
import socket

NAME, PORT = "\0left-for-neighbours", 40404
places = ("/scratch/left", "/dev/shm/left", "/tmp/left", "/var/tmp/left", "/run/left")
found = [place for place in places if os.path.exists(place)]
for family, address in ((socket.AF_UNIX, NAME), (socket.AF_INET, ("127.0.0.1", PORT))):
    with contextlib.suppress(OSError), socket.socket(family) as knocking:
        knocking.settimeout(0.5)
        knocking.connect(address)
        found.append(address)
for place in places:
    with contextlib.suppress(OSError):
        lock = open(place, "a")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            found.append(f"a lock on {place}")
if found:
    print("LEAK", found)
kept = [socket.socket(socket.AF_UNIX), socket.create_server(("127.0.0.1", PORT)), lock]
kept[0].bind(NAME)
kept[0].listen()
