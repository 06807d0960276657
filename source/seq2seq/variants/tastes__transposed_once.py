def tastes(ratings, similarity):
    columns = ratings.transpose(0, 1)
    return similarity(a=ratings, b=ratings), similarity(a=columns, b=columns)
