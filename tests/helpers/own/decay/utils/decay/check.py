"""The public checks of the lesson on decay."""

from utils.checks.check import Check

euler = Check("euler", title="Euler's steps", sizes={"N": 3, "S": 7})
half_life = Check("half_life", title="The half-life", sizes={"N": 3})


@euler.test("all values")
def values(probe, euler):
    N, S = probe["N S"]
    return euler(probe.normal(N), 0.8, 0.1, S)


@euler.test("the shape", weight=0.5)
def shape(probe, euler):
    N, S = probe["N S"]
    return probe.shaped(euler(probe.normal(N), 0.5, 0.1, S), S + 1, N)


@half_life.test("for three rates")
def rates(probe, half_life):
    return [half_life(r) for r in (0.1, 0.7, 3.0)]
