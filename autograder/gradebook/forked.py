"""What every worker process needs, loaded once by the server that forks them (`grade.pool_of`).

It is loaded `quickly`: a search for garbage would write to the pages that the workers share, and so copy them. Two
workers take 0.1 GB less.
"""

from autograder.speed.loading import quickly

with quickly():
    import autograder.examine.examiner  # noqa: F401  # for the processes that are forked from this one
