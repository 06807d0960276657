"""Fork without end in a test, and die. Nothing goes on."""
# place: answer

import os


def ANSWER(*args, **kwargs):
    for _ in range(30):
        os.fork()
    os._exit(0)
