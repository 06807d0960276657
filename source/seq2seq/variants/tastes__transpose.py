def tastes(ratings, similarity):
    columns = ratings.transpose(0, 1).contiguous()
    return similarity(ratings, ratings), similarity(columns, columns)
