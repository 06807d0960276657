"""End Python at once. The state before goes on."""
# quick

import os

os._exit(0)
