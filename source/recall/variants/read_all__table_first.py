def read_all(q, k, v):
    table = k.transpose(1, 2) @ v
    return q @ table
