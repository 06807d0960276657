"""The exams of the lesson on distances of words."""

from utils.edits import check

from autograder.exams.exam import Exam

distance = Exam.of(check.distance)
suggest = Exam.of(check.suggest)


@distance.test("from nothing")
def nothing(probe, distance):
    return [distance("", "attention"), distance("attention", "")]


@suggest.test("only equal words")
def equal(probe, suggest):
    return suggest("abc", ["abd", "abc", "ab"], most=0)
