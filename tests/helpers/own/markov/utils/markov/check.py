"""The public checks of the lesson on chains."""

from itertools import pairwise

from utils.checks.check import Check

transitions = Check("transitions", title="Count", sizes={"N": 31, "K": 3})
after = Check("after", title="In some days", sizes={"K": 5})
sampled = Check("sampled", title="Days that are drawn", sizes={"K": 3, "N": 4000})


def matrix(probe):
    P = probe.uniform(probe["K"], probe["K"], low=0.1)
    return P / P.sum(dim=1, keepdim=True)


@transitions.test("what follows what")
def follows(probe, transitions):
    return transitions(probe.integers(0, probe["K"], probe["N"]).tolist(), probe["K"])


@transitions.test("a kind that never came", weight=0.5)
def never(probe, transitions):
    return transitions([0, 1, 0, 0], 3)


@after.test("probabilities in three days")
def three(probe, after):
    return after(probe.uniform(probe["K"]), matrix(probe), 3)


@sampled.test("each kind as often as the chain says")
def often(probe, sampled):
    P = probe.uniform(3, 3) * 0 + 0.1
    for kind in range(3):
        P[kind, (kind + 1) % 3] = 0.8
    days = probe.value(sampled(P, 0, probe["N"]))
    pairs = list(pairwise(days))
    return [probe.approx(pairs.count((a, b)) / len(pairs), atol=0.05) for a in range(3) for b in range(3)]
