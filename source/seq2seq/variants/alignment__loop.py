def alignment(weights, read, written):
    pairs = []
    for i in range(len(written)):
        j = max(range(len(read)), key=lambda t: float(weights[i, t]))
        pairs.append((written[i], read[j]))
    return pairs
