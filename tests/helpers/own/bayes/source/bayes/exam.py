"""The exams of the lesson on Bayes' rule."""

from utils.bayes import check

from autograder.exams.exam import Exam

posterior = Exam.of(check.posterior, sizes={"H": 7})
sick_if_positive = Exam.of(check.sick_if_positive)


@posterior.test("two observations, one after the other")
def twice(probe, posterior):
    H = probe["H"]
    first = posterior(probe.uniform(H), probe.uniform(H))
    return posterior(probe.value(first), probe.uniform(H))
