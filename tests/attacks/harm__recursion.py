"""Recurse until the stack ends. The state before goes on."""
# flag: no

import sys

sys.setrecursionlimit(10**9)


def deeper(n):
    return deeper(n + 1) + 1


deeper(0)
