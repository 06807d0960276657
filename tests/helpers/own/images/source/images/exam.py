"""The exams of the lesson on edges."""

from utils.images import check

from autograder.exams.exam import Exam

grey = Exam.of(check.grey, sizes={"H": 5, "W": 11})
edges = Exam.of(check.edges, sizes={"H": 7, "W": 13})


@edges.test("how many edges")
def how_many(probe, edges):
    return int(probe.value(edges(probe.normal(9, 9), 1.0)).sum())
