"""The exams of the lesson on Fourier."""

from utils.fourier import check

from autograder.exams.exam import Exam

dft = Exam.of(check.dft, sizes={"N": 16})
loudest = Exam.of(check.loudest)


@dft.test("a constant")
def constant(probe, dft):
    return dft([1.0] * 8).real
