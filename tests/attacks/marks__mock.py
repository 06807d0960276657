"""Hand in an object that has every attribute and takes every call. It has no values: no mark."""
# place: answer
# flag: no

from unittest.mock import MagicMock

ANSWER = MagicMock()
