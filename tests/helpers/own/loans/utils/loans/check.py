"""The public check of the lesson on loans."""

from utils.checks.check import Check

schedule = Check("schedule", title="Month by month", sizes={"N": 3})


@schedule.test("what is owed")
def owed(probe, schedule):
    return schedule(100.0, 0.01, 12.5)


@schedule.test("without interest", weight=0.5)
def without(probe, schedule):
    return schedule(30.0, 0.0, 10.0)
