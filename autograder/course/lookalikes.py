"""Mistakes that a check, or an exam, cannot tell apart: each such class needs one sentence, true of all its members.

Checks and exams have different classes, because an exam adds tests and has other inputs, and perhaps other sizes. A
check's classes are computed from its stored answers, an exam's from the answers that the exam computes.
"""

from collections.abc import Callable, Iterator, Mapping

from autograder.common.course import MISTAKES
from autograder.common.errors import BuildError
from autograder.exams import reference
from autograder.exams.exam import OWN_SEED, exams_of
from autograder.lesson.text import Lesson
from utils.checks.engine.answer_key import CHECK_SEED, StoredKey
from utils.checks.engine.naming import Catalogue, look_alikes
from utils.checks.engine.observation import Observation
from utils.checks.engine.probe import Probe
from utils.checks.engine.question import Question, Test, observe, seed_cpu
from utils.checks.engine.verdict import results, tell


def classes(question: Question, key: Catalogue, shown: Callable[[str, Test], Observation]) -> Iterator[frozenset[str]]:
    """Yield, once each, the sets of a question's mistakes that its tests cannot tell apart.

    `shown` returns what a test observes when it runs on a mistake.
    """
    yielded: set[frozenset[str]] = set()
    for mistake in key.mistakes():
        seen = {name: shown(mistake, test) for name, test in question.tests.items()}
        failed = {name for name, test in question.tests.items() if tell(question, test, seen[name], key)}
        alike = look_alikes(question.tests, *results(seen, failed), key)
        if len(alike) > 1 and alike not in yielded:
            yielded.add(alike)
            yield alike


def of_check(lesson: Lesson, question: str, key: StoredKey) -> Iterator[frozenset[str]]:
    """Yield the classes of a question's public check."""
    check = reference.checks_of(lesson)[question]

    def shown(mistake: str, test: Test) -> Observation:
        seed_cpu(CHECK_SEED)
        return observe(test, Probe(check.sizes, CHECK_SEED), reference.mutant_students(lesson, question, mistake))

    return classes(check, key, shown)


def of_exam(lesson: Lesson, question: str) -> Iterator[frozenset[str]]:
    """Yield the classes of a question's exam, at one of its seeds."""
    exam = exams_of(lesson)[question]
    key = reference.key_of(lesson, exam, OWN_SEED)
    return classes(exam, key, key.shown)


def refuse_unsaid(lesson: Lesson, keys: Mapping[str, StoredKey], *, exams: bool) -> None:
    """Raises: BuildError for a class without a sentence; `keys`: the checks' answers; `exams`: of exams as well."""
    unsaid = [
        f"  {question}: {', '.join(sorted(alike))}"
        for question, key in keys.items()
        for alike in (*of_check(lesson, question, key), *(of_exam(lesson, question) if exams else ()))
        if not key.sentence(alike)
    ]
    if unsaid:
        listed = "\n".join(dict.fromkeys(unsaid))
        raise BuildError(
            f"These mistakes look alike to the checks or exams of {lesson.name}; write a [[class]] with "
            f"one sentence that is true of all its members in {lesson.parts[-1].source / MISTAKES}:\n{listed}"
        )
