"""Crash Python. The state before goes on."""
# quick

import ctypes

ctypes.string_at(0)
