"""Close every descriptor. The state cannot answer, and is given up."""
# quick

import os

os.closerange(0, 256)
