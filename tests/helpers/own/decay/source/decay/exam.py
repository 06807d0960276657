"""The exams of the lesson on decay."""

from utils.decay import check

from autograder.exams.exam import Exam

euler = Exam.of(check.euler, sizes={"N": 7, "S": 5})
half_life = Exam.of(check.half_life)


@euler.test("the last value alone")
def last(probe, euler):
    return euler(probe.normal(probe["N"]), 0.3, 0.2, probe["S"])[-1]
