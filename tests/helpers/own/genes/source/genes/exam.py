"""The exams of the lesson on genes."""

from utils.genes import check

from autograder.exams.exam import Exam

reverse_complement = Exam.of(check.reverse_complement)
protein = Exam.of(check.protein, sizes={"N": 23})
differences = Exam.of(check.differences)


@protein.test("without a stop")
def without_stop(probe, protein):
    return protein("ATGGCCAAACC")
