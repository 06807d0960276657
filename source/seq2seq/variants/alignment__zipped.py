def alignment(weights, read, written):
    return list(zip(written, [read[t] for t in torch.argmax(weights, -1).tolist()]))
