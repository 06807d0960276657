# %% comprehension [right]
def tastes(ratings, similarity):
    return tuple(similarity(x, x) for x in (ratings, ratings.T))


# %% named_variables [right]
def tastes(ratings, similarity):
    people = ratings
    films = ratings.transpose(0, 1).contiguous()
    people_alike = similarity(people, people)
    films_alike = similarity(films, films)
    return people_alike, films_alike


# %% films_first [one] the two tables are in the wrong order
def tastes(ratings, similarity):
    return similarity(ratings.T, ratings.T), similarity(ratings, ratings)


# %% result_transposed [one] the table of people is transposed instead of the ratings
def tastes(ratings, similarity):
    people = similarity(ratings, ratings)
    return people, people.T


# %% centred [one] each person's mean is subtracted first
def tastes(ratings, similarity):
    centred = ratings - ratings.mean(dim=1, keepdim=True)
    return similarity(centred, centred), similarity(centred.T, centred.T)


# %% own_dot_wrong_order [two] always dot products instead of the given similarity, films first
def tastes(ratings, similarity):
    return ratings.T @ ratings, ratings @ ratings.T
