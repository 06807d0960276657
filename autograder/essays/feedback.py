"""The part of feedback on a marked essay: the rubric's items, got and missed, in the student's language."""

from dataclasses import dataclass
from typing import Any

from autograder.common.course import Course
from autograder.essays.marks import Booked
from autograder.essays.store import FOLDER, EssayStore


@dataclass(frozen=True)
class ShownItem:
    """A rubric's item in feedback: its text (markdown), whether the student got the item, and its points."""

    text: str
    got: bool
    points: float


def shown_items(
    course: Course, lesson_name: str, question: str, student: str, score: float | None, most: float, language: str
) -> list[ShownItem]:
    """Return the items of a marked answer; no items if the gradebook's points (`score`) differ from their sum.

    Raises: GradingError for a damaged file.
    """
    store = EssayStore(course, lesson_name, question)
    rubric, mark = store.rubric(), store.record(student).mark
    if rubric is None or mark is None or not Booked(score, False, "").agrees_with(mark.points(rubric, most)):
        return []
    given = rubric.given(mark.items, mark.rubric)
    # An item that takes points away names a mistake, so only students who made that mistake see the item.
    return [
        ShownItem(item.text_in(language), item.id in given, item.points)
        for item in rubric.items
        if item.points > 0 or item.id in given
    ]


def state_of(course: Course, lesson_name: str, student: str) -> list[Any]:
    """Return the data of feedback that the gradebook lacks: a student's items, and the rubrics with their texts."""
    folder = course / FOLDER / lesson_name
    if not folder.is_dir():
        return []
    stores = [EssayStore(course, lesson_name, path.name) for path in sorted(folder.iterdir()) if path.is_dir()]
    return [_state(store, student) for store in stores if store.record(student).mark is not None]


def _state(store: EssayStore, student: str) -> list[Any]:
    rubric, mark = store.rubric(), store.record(student).mark
    return [store.question, rubric.to_json() if rubric else {}, mark.items if mark else []]
