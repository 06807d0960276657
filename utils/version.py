"""The version of what students receive. A notebook's first cell accepts no other than the one that it was made with.

Raise it whenever modules are handed out anew: a notebook of last week then says which wheel it needs.
"""

__version__ = "0.1.0"
