"""Mistakes that a public check cannot tell apart: each such class needs one sentence, true of all its members.

The exams repeat the checks' tests and add to them, so that what looks alike in an exam does so in its check; a class
may be finer there, and gets a sentence of its own if the catalogue has one (`[[class]]` in autograder/mistakes).
"""

from collections.abc import Iterator, Mapping

import torch

from autograder.common.errors import BuildError
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.checks.answer_key import CHECK_SEED, StoredKey
from utils.checks.naming import look_alikes
from utils.checks.probe import Probe
from utils.checks.question import observe
from utils.checks.verdict import results, tell


def classes(lesson: Lesson, question: str, key: StoredKey) -> Iterator[frozenset[str]]:
    """Yield, once each, the sets of a question's mistakes that its public check takes for each other."""
    check = reference.checks_of(lesson)[question]
    found: set[frozenset[str]] = set()
    for mistake in key.mistakes():
        students = reference.mutant_students(lesson, question, mistake)
        torch.manual_seed(CHECK_SEED)
        seen = {name: observe(test, Probe(check.sizes, CHECK_SEED), students) for name, test in check.tests.items()}
        failed = {name for name, test in check.tests.items() if tell(check, test, seen[name], key)}
        alike = look_alikes(check.tests, *results(seen, failed), key)
        if len(alike) > 1 and alike not in found:
            found.add(alike)
            yield alike


def refuse_unsaid(lesson: Lesson, keys: Mapping[str, StoredKey]) -> None:
    """Raises: BuildError for a class of look-alikes without a sentence."""
    unsaid = {
        question: [", ".join(sorted(alike)) for alike in classes(lesson, question, key) if not key.sentence(alike)]
        for question, key in keys.items()
    }
    if any(unsaid.values()):
        listed = "\n".join(f"  {question}: {alike}" for question, all_ in unsaid.items() for alike in all_)
        raise BuildError(
            f"These mistakes look alike to the checks of {lesson.name}; write a [[class]] with one sentence that is "
            f"true of all its members in autograder/mistakes/{lesson.name}.toml:\n{listed}"
        )
