# %% swapaxes [right]
def tastes(ratings, similarity):
    films = ratings.swapaxes(0, 1)
    return similarity(ratings, ratings), similarity(films, films)


# %% twice_people [one]
def tastes(ratings, similarity):
    return similarity(ratings, ratings), similarity(ratings, ratings)


# %% own_similarity_swapped [two] films first, and always the cosine
def tastes(ratings, similarity):
    return cosine_similarity(ratings.T, ratings.T), cosine_similarity(ratings, ratings)
