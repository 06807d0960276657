"""No test of an exam is idle: each fails some known mistake, and the reference passes it with any inputs."""

import pytest

from autograder.common.paths import lesson_names
from autograder.exams import reference
from autograder.exams.exam import exams_of
from autograder.lesson.text import Lesson
from utils.checks.engine.observation import Observation, same
from utils.checks.engine.question import observe

pytestmark = pytest.mark.filterwarnings("ignore")

LESSONS = [Lesson.load(name) for name in lesson_names()]


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
        for seed in (11, 12, 13):
            key = reference.key_of(lesson, exam, seed)
            for test in exam.tests.values():
                seen = observe(test, key.probe(test), reference.students_of(lesson, question))
                assert same(seen, Observation(key.expected(test)), test.tolerance), (question, test.name, seed)
