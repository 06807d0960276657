"""Announce an answer of four gigabytes. It is refused before memory is taken."""

import gc
import struct
import time


session = next(thing for thing in gc.get_objects() if type(thing).__name__ == "State").session

session.sendall(struct.pack("<II", 2**32 - 1, 2**32 - 1))
time.sleep(0.5)
