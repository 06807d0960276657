"""Measurements: each module runs by itself, compares in one run, and its result is recorded in a file next to it.

The modules `train_…` make the trained networks that lessons ship, once, by their authors.
"""
