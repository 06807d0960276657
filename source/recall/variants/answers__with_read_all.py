def read_all(q, k, v):
    return q @ k.transpose(1, 2) @ v


def answers(keys, rooms, words):
    returned = read_all(keys, keys, words[rooms])
    return (returned @ words.T).argmax(-1)
