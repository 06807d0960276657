"""Kill everything. Everything is this session."""
# keeps: any

import os

os.kill(-1, 9)
