"""Throw away all loaded modules. It is the student's own loss."""
# keeps: any

import sys

for name in list(sys.modules):
    if name != "sys":
        del sys.modules[name]
