"""Sleep in every test. All tests together have a limit, too."""
# place: answer

import time


def ANSWER(*args, **kwargs):
    time.sleep(3600)
