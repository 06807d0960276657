"""Return an object whose pickle runs a command. Nothing is pickled: no mark, no command."""
# place: answer

import os


class Bomb:
    def __reduce__(self):
        return os.system, ("touch /tmp/pickled",)


def ANSWER(*args, **kwargs):
    return Bomb()
