"""The exams of the lesson on dice."""

from utils.dice import check

from autograder.exams.exam import Exam

frequencies = Exam.of(check.frequencies)
mean_of_rolls = Exam.of(check.mean_of_rolls)


@frequencies.test("a number that nobody rolled")
def never(probe, frequencies):
    return frequencies([1, 2, 2, 5], 5)
