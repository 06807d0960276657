"""Become another program. The session loses one cell."""

import os

os.execv("/bin/sleep", ["sleep", "3600"])
