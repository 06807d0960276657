"""The public checks of the lesson on the perceptron."""

from utils.checks.check import Check

perceptron = Check("perceptron", title="The model", sizes={"N": 401, "D": 3})
epoch = Check("epoch", title="One epoch", sizes={"N": 13, "D": 5})


@perceptron.test("signs")
def signs(probe, Perceptron):
    return probe.fill(Perceptron(probe["D"]))(probe.normal(probe["N"], probe["D"]))


@perceptron.test("a sum of 0", weight=0.5)
def zero(probe, Perceptron):
    return Perceptron(probe["D"])(probe.normal(probe["N"], probe["D"]))


@epoch.test("what is learnt, and how many were wrong")
def learnt(probe, epoch, Perceptron):
    N, D = probe["N D"]
    model, x = probe.fill(Perceptron(D)), probe.normal(N, D)
    wrong = epoch(model, x, 2.0 * probe.integers(0, 2, N) - 1)
    return [wrong, model.weight, model.bias]
