"""The exams of the lesson on chains."""

from utils.markov import check

from autograder.exams.exam import Exam

transitions = Exam.of(check.transitions, sizes={"N": 41, "K": 5})
after = Exam.of(check.after, sizes={"K": 7})
sampled = Exam.of(check.sampled)


@after.test("in no days")
def none(probe, after):
    return after(probe.uniform(probe["K"]), check.matrix(probe), 0)


@sampled.test("the first day and the number of days")
def first(probe, sampled):
    days = probe.value(sampled(check.matrix(probe), 2, 9))
    return [days[0], len(days)]
