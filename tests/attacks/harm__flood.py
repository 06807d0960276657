"""Send frames without end. What one session may send is limited."""
# keeps: any

import gc
import struct
import time


session = next(thing for thing in gc.get_objects() if type(thing).__name__ == "State").session

frame = struct.pack("<II", 2, 0) + b"{}"
while True:
    session.sendall(frame * 10000)
