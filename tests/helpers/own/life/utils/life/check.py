"""The public checks of the lesson on the game of life."""

from utils.checks.check import Check

neighbours = Check("neighbours", title="Neighbours", sizes={"H": 7, "W": 11}, hints=("torch.roll moves a world.",))
generation = Check("generation", title="A generation", sizes={"H": 11, "W": 13})


def world(probe):
    return probe.integers(0, 2, probe["H"], probe["W"])


@neighbours.test("living cells around each")
def around(probe, neighbours):
    return neighbours(world(probe))


@generation.test("a world one step later")
def later(probe, generation):
    return generation(world(probe))
