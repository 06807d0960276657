"""Return a dictionary whose keys clear the screen and forge lines. Reasons hold only what can be printed."""
# place: answer
# flag: no


def ANSWER(*args, **kwargs):
    return {"\x1b]0;pwned\x07\x1b[2J\x1b[31mALL 30 OF 30": 1.0}
