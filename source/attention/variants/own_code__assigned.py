def own_code():
    # a test sequence moves alone: mean and std come from the training set
    changed = [(4, 1)]
    gives = "all"
    return changed, gives
