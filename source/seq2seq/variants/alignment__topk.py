def alignment(weights, read, written):
    best = weights.topk(1, dim=-1).indices[:, 0]
    return [(written[s], read[int(best[s])]) for s in range(len(written))]
