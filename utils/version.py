"""The version of the modules that students receive; a notebook's first cell accepts only the version it was built with.

Raise it whenever changed modules are handed out: an older notebook then says which wheel it needs.
"""

__version__ = "0.1.0"
