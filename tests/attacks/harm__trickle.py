"""Send an answer a byte at a time, for ever. The time limit counts it all."""

import gc
import struct
import time


session = next(thing for thing in gc.get_objects() if type(thing).__name__ == "State").session

session.sendall(struct.pack("<II", 8 * 2**20, 0))
while True:
    session.sendall(b" ")
    time.sleep(0.01)
