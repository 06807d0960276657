"""The exams of our lesson on clusters: the tests of the checks with other inputs, and one more."""

from typing import Any

from utils.clusters import check

from autograder.exams.exam import Exam
from utils.checks.engine.probe import Probe

nearest = Exam.of(check.nearest)
moved = Exam.of(check.moved)


@nearest.test("in seven dimensions")
def many_dimensions(probe: Probe, nearest: Any) -> Any:
    return nearest(probe.normal(13, 7), probe.normal(5, 7))
