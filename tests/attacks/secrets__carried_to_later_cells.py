"""An answer leaves what it was called with, and what its callers were told to do, to the cells below, which print it.

It goes by files, a pipe, a socket, a listening port, shared memory of two kinds and a file's position. Nothing may come
out: what cells show after a question comes from a session in which no question was examined.
"""
# place: answer
# quick

import contextlib
import glob
import mmap
import os
import socket
import struct
import sys

if "ROADS" not in globals():
    ROADS = {"pipe": os.pipe(), "memory": mmap.mmap(-1, 4096), "ends": socket.socketpair()}
    ROADS["port"] = socket.create_server(("127.0.0.1", 0))
    ROADS["position"] = os.open("/scratch/position", os.O_RDWR | os.O_CREAT)
    os.set_blocking(ROADS["pipe"][0], False)
    ROADS["ends"][0].setblocking(False)
    ROADS["port"].setblocking(False)
    FINDS = {
        "files": lambda: [open(path).read() for path in glob.glob("/scratch/left*") + glob.glob("/dev/shm/left*")],
        "pipe": lambda: os.read(ROADS["pipe"][0], 1000),
        "ends": lambda: ROADS["ends"][0].recv(1000),
        "port": lambda: ROADS["port"].accept()[0].recv(1000),
        "memory": lambda: ROADS["memory"][:100].strip(b"\0"),
        "position": lambda: os.lseek(ROADS["position"], 0, os.SEEK_CUR),
    }

for road, find in FINDS.items():
    with contextlib.suppress(OSError):
        if found := find():
            print("LEAK by", road, found)


def ANSWER(*args, **kwargs):
    frame, steps = sys._getframe(1), []
    while frame:
        steps.append([frame.f_code.co_name, frame.f_locals.get("steps"), frame.f_locals.get("request")])
        frame = frame.f_back
    seen = repr([args, kwargs]).encode()[:500] + repr(steps).encode()[:500]
    for place in ("/scratch/left", "/dev/shm/left"):
        with contextlib.suppress(OSError), open(f"{place}{os.getpid()}", "wb") as file:
            file.write(seen)
    os.write(ROADS["pipe"][1], seen)
    ROADS["ends"][1].send(seen)
    socket.create_connection(ROADS["port"].getsockname()).send(seen)
    ROADS["memory"][: len(seen)] = seen
    os.lseek(ROADS["position"], struct.unpack("<I", seen[:4])[0], os.SEEK_SET)
    return args[0] if args else None
