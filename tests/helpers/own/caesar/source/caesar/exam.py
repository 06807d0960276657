"""The exams of the lesson on secret letters."""

from utils.caesar import check

from autograder.exams.exam import Exam

encrypted = Exam.of(check.encrypted)
broken = Exam.of(check.broken)


@encrypted.test("a key larger than the alphabet")
def large(probe, encrypted):
    return encrypted(check.words(probe), 29)


@encrypted.test("back again")
def back(probe, encrypted):
    return encrypted(probe.value(encrypted(check.words(probe), 7)), -7)
