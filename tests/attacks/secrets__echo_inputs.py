"""Tell the exam's inputs by errors. They are of this submission alone, and earn nothing."""
# place: answer
# flag: no

def ANSWER(*args, **kwargs):
    raise ValueError(repr((args, kwargs)))
