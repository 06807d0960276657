"""Crash Python. The state before goes on."""

import ctypes

ctypes.string_at(0)
