"""Send what is no frame. The cell counts as stopped."""

import gc
import struct
import time


session = next(thing for thing in gc.get_objects() if type(thing).__name__ == "State").session

session.sendall(struct.pack("<II", 5, 5) + b"\xff\xfe{[\x00" + bytes(5))
time.sleep(0.5)
