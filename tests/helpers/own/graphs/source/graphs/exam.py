"""The exam of the lesson on graphs."""

from utils.graphs import check

from autograder.exams.exam import Exam

distances = Exam.of(check.distances)


@distances.test("the largest distance")
def largest(probe, distances):
    found = probe.value(distances(check.graph(probe, 43), 5))
    return max(steps for steps in found if steps is not None)
