"""No test of an exam is idle: each fails some known mistake, and the reference passes it with any inputs."""

from types import SimpleNamespace

import pytest

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.exams.exam import Exam, exams_of
from autograder.lesson.text import Lesson
from utils.checks.engine.observation import Observation, same
from utils.checks.engine.question import observe
from utils.common.errors import WorkbookError

pytestmark = pytest.mark.filterwarnings("ignore")

LESSONS = [Lesson.load(name, WORKBOOK) for name in list(WORKBOOK.lessons)]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_each_test_of_an_exam_fails_some_mistake(lesson):
    idle = []
    for question, exam in exams_of(lesson).items():
        key, left = reference.key_of(lesson, exam, seed=3), dict(exam.tests)
        for mistake in reference.mistakes_of(lesson, question):
            left = {name: test for name, test in left.items() if key.passes(mistake, test)}
            if not left:
                break
        idle += [(question, name) for name in left]
    assert idle == []


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_the_reference_passes_with_any_inputs(lesson):
    for question, exam in exams_of(lesson).items():
        for seed in (11, 12):
            key = reference.key_of(lesson, exam, seed)
            for test in exam.tests.values():
                seen = observe(test, key.probe(test), reference.students_of(lesson, question))
                assert same(seen, Observation(key.expected(test)), test.tolerance), (question, test.name, seed)


@pytest.mark.parametrize("module", ["utils.clusters.check", "course_clusters_exam", "workbook_clusters_exam"])
def test_an_exam_knows_its_lesson_also_where_all_its_tests_are_its_own(module):
    exam = Exam("nearest", "Nearest", {"N": 3})

    def first(probe, nearest): ...

    first.__module__ = module
    exam.test("the nearest")(first)
    assert exam.lesson == "clusters"


def lesson_with(hidden: str) -> SimpleNamespace:
    return SimpleNamespace(name="tiny", tests={"double": SimpleNamespace(hidden=hidden)})


def test_what_a_cell_hands_to_its_exam_may_take_several_lines():
    hidden = "from autograder.exams import tiny as exam\nfirst = double\nexam.double(\n    first,\n    2,\n)"
    assert reference.exam_call(lesson_with(hidden), "double", {"double": abs}) == (abs, 2)


@pytest.mark.parametrize("hidden", ["", "exam.other(double)", "exam.double(double)\nexam.double(double)"])
def test_any_other_call_than_that_of_the_exam_is_refused(hidden):
    with pytest.raises(WorkbookError, match=r"tests of double in source/tiny/lesson\.py must be one call, exam.double"):
        reference.exam_call(lesson_with(hidden), "double", {"double": abs})


def test_inputs_and_weights_of_each_test_have_seeds_of_their_own():
    seeds = [
        seed for course in (1, 2) for test in ("one", "two") for seed in reference.test_seeds(course, "loss", test)
    ]
    assert len({*seeds}) == 8 and all(2**100 < seed < 2**128 for seed in seeds)


def test_what_torch_says_of_a_known_mistake_reaches_no_terminal(recwarn):
    attention = Lesson.load("attention", WORKBOOK)
    exam = exams_of(attention)["update"]
    key = reference.LiveKey(attention, exam, 3)
    shown = [key.shown("channel_lost", test) for test in exam.tests.values()]
    assert any(not seen.failure for seen in shown) and not recwarn.list
