"""Send JSON nested ten thousand deep. It is refused."""
# quick

import gc
import struct
import time


session = next(thing for thing in gc.get_objects() if type(thing).__name__ == "State").session

text = b"[" * 100000 + b"]" * 100000
session.sendall(struct.pack("<II", len(text), 0) + text)
time.sleep(0.5)
