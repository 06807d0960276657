"""The request that a worker gets for one notebook, here or on another computer, and the check of its answer.

Imports nothing heavy, so that a run with nothing to do ends at once.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.common.course import Course
from autograder.examine.store import ResultStore

if TYPE_CHECKING:
    from autograder.lesson.text import Lesson

# The results of one examination: entries by their key in the store.
Entries = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """The request to examine one notebook; it contains neither the student's name nor the course's secret."""

    text: str  # the notebook with its cells of code alone, as JSON
    keys: set[str]  # the keys of the entries that the store lacks
    all_keys: set[str]  # the keys of all entries of this notebook
    seed: int  # the seed of the exams' inputs

    def accept(self, entries: Any) -> Entries:
        """Return the entries that a worker sent. Raises: ValueError for anything but entries of this notebook.

        A cluster's worker is not trusted: an entry under another notebook's key would change another student's mark.
        """
        from autograder.examine.work import is_entry

        if (
            not isinstance(entries, dict)
            or not entries.keys() <= self.all_keys
            or not all(map(is_entry, entries.values()))
        ):
            raise ValueError("a worker sent something that it was not asked for")
        return entries


def task_of(lesson: "Lesson", path: Path, secret: str, language: str, *, force: bool = False) -> Task | None:
    """Return the task to examine what the store lacks of a notebook, None if it lacks nothing.

    With `force`, the whole of a notebook that was stopped. `language`: the course's.
    """
    from autograder.examine.work import Work
    from autograder.intake.notebook import take_in_submission
    from autograder.sandbox.limits import Limits

    notebook = take_in_submission(path, lesson, language).notebook
    work = Work(notebook, lesson, Limits(), secret)
    known = work.stored(ResultStore().get)
    examine_all = force and work.was_stopped(known)
    keys = {key for key, entry in known.items() if entry is None or examine_all}
    return Task(json.dumps({**notebook, "cells": work.cells}), keys, set(work.keys), work.seed) if keys else None


def examine_one(text: str, lesson_name: str, folder: Path, keys: set[str], seed: int) -> Entries:
    """Run one notebook and return its entries for the store, none if the run was doubtful; runs in any process.

    folder: the course's. It is a path, because a cluster's scheduler lacks the workbook and could not unpickle a
    `Course`.
    """
    from autograder.common.nodes import as_node
    from autograder.examine.examiner import run
    from autograder.examine.work import Work
    from autograder.lesson.text import Lesson
    from autograder.sandbox.parent import shared_sandbox

    notebook, lesson = as_node(json.loads(text)), Lesson.load(lesson_name, Course(folder))
    sandbox = shared_sandbox(lesson.course)
    attempt = run(Work(notebook, lesson, sandbox.limits, seed=seed), sandbox, keys)
    return attempt.entries if attempt.sure else {}


def start_sandbox(folder: Path) -> None:
    """Start this process's sandbox for a course, so that the first notebook need not wait for it."""
    from autograder.sandbox.parent import shared_sandbox

    sandbox = shared_sandbox(Course(folder))
    if sandbox.process is None:
        sandbox.start()
