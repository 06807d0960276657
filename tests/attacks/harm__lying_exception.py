"""Raise an exception that cannot be printed. The cell is lost."""
# flag: no

class Unspeakable(Exception):
    def __str__(self):
        raise self


raise Unspeakable
