def own_code():
    # a test sequence moves alone: mean and std come from the training set
    changed = [(6, 2)]
    gives = "all"
    return changed, gives
