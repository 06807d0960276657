"""Kill everything. Everything is this session."""
# quick
# keeps: any

import os

os.kill(-1, 9)
