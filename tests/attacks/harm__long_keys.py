"""Return numbers under six long keys that Python writes ten times as long. They are too large for one value."""
# place: answer
# flag: no


def ANSWER(*args, **kwargs):
    value = {str(number): 1.0 for number in range(3000)}
    for _ in range(6):
        value = {"\U000e0001" * 10000: value}
    return value
