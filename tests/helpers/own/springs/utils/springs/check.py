"""The public check of the lesson on springs."""

from utils.checks.check import Check

spring = Check("spring", title="A spring", sizes={"N": 7, "D": 3})


@spring.test("one step of all masses")
def one_step(probe, Spring):
    N, D = probe["N D"]
    return probe.several(Spring(2.5).step(probe.normal(N, D), probe.normal(N, D), 0.1), 2)


@spring.test("the force", weight=0.5)
def force(probe, Spring):
    return Spring(1.5).force(probe.normal(probe["N"]))
