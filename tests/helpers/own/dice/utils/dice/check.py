"""The public checks of the lesson on dice."""

from utils.checks.check import Check

frequencies = Check("frequencies", title="Frequencies", sizes={"N": 23, "S": 6})
mean_of_rolls = Check("mean_of_rolls", title="The mean of many rolls", sizes={"N": 40_000, "S": 6})


@frequencies.test("the part of the rolls with each number")
def parts(probe, frequencies):
    return frequencies(probe.integers(1, probe["S"] + 1, probe["N"]), probe["S"])


@mean_of_rolls.test("near the middle")
def middle(probe, mean_of_rolls):
    return probe.approx(probe.value(mean_of_rolls(probe["N"], probe["S"])), atol=0.1)
