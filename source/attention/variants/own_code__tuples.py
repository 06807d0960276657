def own_code():
    return (((6, 2),), "all")
