"""Show fifty pictures of ten million pixels each, a few bytes long. A browser gets a few of them."""
# quick

import base64
import struct
import zlib

from IPython.display import display


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


side = 3162
rows = zlib.compress(bytes(side * (1 + side // 8 + 1)), 9)
header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
for _ in range(49):
    display({"image/png": base64.b64encode(png).decode()}, raw=True)
