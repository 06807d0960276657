"""The public checks of the lesson on regression."""

from utils.checks.check import Check

model = Check("model", title="A line", sizes={"N": 7, "D": 3}, lacks={"line": "your class has no layer `self.line`"})
loss = Check("loss", title="The loss", sizes={"N": 7, "D": 3})


@model.test("the value at each point")
def values(probe, Line):
    return probe.fill(Line(probe["D"]))(probe.normal(probe["N"], probe["D"]))


@model.test("the layer's shapes", weight=0.5)
def shapes(probe, Line):
    return sorted(map(str, probe.parameters(Line(probe["D"])).items()))


@loss.test("the mean of the squares")
def mean(probe, loss, Line):
    N, D = probe["N D"]
    return loss(probe.fill(Line(D)), probe.normal(N, D), probe.normal(N))
