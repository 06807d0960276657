"""Send frames without end. What one session may send is limited."""

import gc
import struct
import time

from autograder_sandbox import inside

session = next(thing for thing in gc.get_objects() if isinstance(thing, inside.State)).session

frame = struct.pack("<II", 2, 0) + b"{}"
while True:
    session.sendall(frame * 10000)
