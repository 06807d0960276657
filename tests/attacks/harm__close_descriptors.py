"""Close every descriptor. The state cannot answer, and is given up."""

import os

os.closerange(0, 256)
