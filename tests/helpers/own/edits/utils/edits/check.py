"""The public checks of the lesson on distances of words."""

from utils.checks.check import Check

distance = Check("distance", title="Steps from word to word", sizes={"N": 7, "M": 5})
suggest = Check("suggest", title="Suggestions", sizes={"N": 4, "W": 13})


def word(probe, number):
    return "".join("abc"[letter] for letter in probe.integers(0, 3, number).tolist())


@distance.test("between two words")
def two(probe, distance):
    N, M = probe["N M"]
    return [distance(word(probe, N), word(probe, M)) for _ in range(5)]


@distance.test("the same both ways", weight=0.5)
def both(probe, distance):
    a, b = word(probe, 5), word(probe, 8)
    return probe.value(distance(a, b)) - probe.value(distance(b, a))


@suggest.test("near words, the nearest first")
def near(probe, suggest):
    N, W = probe["N W"]
    return suggest(word(probe, N), [word(probe, N) for _ in range(W)])
