"""Measurements: each module runs alone, compares side by side in one run, and its result is recorded beside it."""
