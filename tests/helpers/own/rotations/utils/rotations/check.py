"""The public checks of the lesson on rotations."""

from utils.checks.check import Check

rotation = Check("rotation", title="The matrix of a turn", sizes={"N": 5}, hints=("Where does (1, 0) go?",))
turned = Check("turned", title="A turn around a point", sizes={"N": 7})


@rotation.test("a turn by half a radian")
def half(probe, rotation):
    return rotation(0.5)


@turned.test("points around a centre")
def around(probe, turned):
    return turned(probe.normal(probe["N"], 2), probe.normal(2), 0.7)
