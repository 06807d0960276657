def tastes(ratings, similarity):
    people = torch.cat([similarity(ratings[[n]], ratings) for n in range(len(ratings))])
    films = torch.cat([similarity(ratings.T[[m]], ratings.T) for m in range(ratings.shape[1])])
    return [people, films]
