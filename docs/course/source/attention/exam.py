"""The exam of our question: the tests of its check with other inputs, and one that students do not see."""

from typing import Any

from autograder.exams.exam import Exam
from utils.attention import more
from utils.checks.engine.probe import Probe

tempered = Exam.of(more.tempered)


@tempered.test("scores so large that their exponentials overflow")
def large(probe: Probe, tempered: Any) -> Any:
    return tempered(1000 * probe.normal(2, 7), 0.25)
