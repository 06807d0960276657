"""The public check of the lesson on graphs."""

from utils.checks.check import Check

distances = Check("distances", title="Steps from a node", sizes={"N": 31}, hints=("Visit near nodes first.",))


def graph(probe, number):
    ring = [[(node + 1) % number] for node in range(number)]
    for a, b in probe.integers(0, number, number, 2).tolist():
        ring[a].append(b)
    return ring


@distances.test("in a ring with shortcuts")
def ring(probe, distances):
    return distances(graph(probe, probe["N"]), 2)


@distances.test("nodes without a way")
def alone(probe, distances):
    return distances([*graph(probe, probe["N"]), [], [0]], 1)
