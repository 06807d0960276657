"""Measurements: each module runs by itself, compares in one run, and its result is recorded in a file next to it."""
