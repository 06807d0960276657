"""End Python at once. The state before goes on."""

import os

os._exit(0)
