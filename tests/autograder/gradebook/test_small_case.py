"""Feedback draws the small case of a named mistake: the case is the public check's, and has no line of a solution."""

import subprocess
import sys

import pytest

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.exams.reference import mistakes_of
from autograder.gradebook.pages import cases_of, small_case
from autograder.lesson.text import Lesson
from autograder.site import private

ATTENTION = Lesson.load("attention", WORKBOOK)


@pytest.mark.parametrize("question", ["self_attention", "update"])
def test_nearly_each_mistake_has_a_case_in_the_students_language_without_a_line_of_a_solution(question):
    made = mistakes_of(ATTENTION, question)
    cases = [case for mistake in made if (case := small_case(ATTENTION, question, mistake, "fr"))]
    assert len(cases) >= 0.8 * len(made) > 5
    assert all("le vôtre" in case and "votre code lève" not in case for case in cases)
    assert not any(line in case for case in cases for line in private.lines())


def test_the_case_is_of_the_first_test_that_was_lost_and_of_a_named_mistake_alone():
    def log(*mistakes: str | None, passed: int = 0):
        tests = [{"passed": number < passed, "mistake": mistake} for number, mistake in enumerate(mistakes)]
        return {"questions": [{"id": "test_update", "tests": tests}]}

    first, second = mistakes_of(ATTENTION, "update")[:2]
    assert cases_of(log(None, first, second, passed=1), ATTENTION, "en") == {
        "test_update": small_case(ATTENTION, "update", first, "en")
    }
    assert cases_of(log(None, first), ATTENTION, "en") == cases_of(log(None, passed=1), ATTENTION, "en") == {}
    assert cases_of({}, ATTENTION, "en") == {} and small_case(ATTENTION, "update", "no_such_mistake", "en") == ""


def test_a_mistake_in_a_training_loads_no_compiler():
    code = (
        "import sys; from autograder.common.course import WORKBOOK; from autograder.lesson.text import Lesson; "
        "from autograder.gradebook.pages import small_case; "
        "print(small_case(Lesson.load('attention', WORKBOOK), 'update', 'no_step', 'en')[:9], "
        "'torch._dynamo.utils' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.split()[-1] == "False"
