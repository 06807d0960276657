def own_code():
    return (((4, 1),), "all")
