"""Each check, with the answers that are stored for it, passes the reference and is failed by known mistakes."""

import pytest

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.text import Lesson

LESSONS = [Lesson.load(name, WORKBOOK) for name in list(WORKBOOK.lessons)]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_check_passes_the_reference(lesson, capsys):
    for question, check in reference.checks_of(lesson).items():
        check(*reference.students_of(lesson, question))
        assert "all tests pass" in " ".join(capsys.readouterr().out.split()), question


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
@pytest.mark.filterwarnings("ignore")
def test_a_check_fails_mistakes_of_its_gap(lesson):
    """Not each: some show only with the inputs of the exam. A check of `own_code` looks at the form of answers."""
    for question, check in reference.checks_of(lesson).items():
        if question == "own_code":
            continue
        first = reference.mistakes_of(lesson, question)[:4]
        failed = [mistake for mistake in first if fails(check, reference.mutant_students(lesson, question, mistake))]
        assert len(failed) >= 2, (question, failed)


def fails(check, students) -> bool:
    return not all(verdict.passed for verdict in check.verdicts(students))
