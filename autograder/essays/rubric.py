"""A question's rubric in a course: copied from the lesson, then added to, split, re-worded and re-weighted there.

Marks refer to items by their ids and hold no points: a mark's points are the sum of its items' points, recomputed.
So a change of an item's points applies to all answers at once.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from autograder.lesson.rubric import rubric_of
from autograder.lesson.text import Cell, Lesson
from autograder.lesson.translation import LANGUAGES, lesson_text

# Points are shown and stored with this many decimals.
DECIMALS = 3
MAX_ITEMS, MAX_TEXT = 30, 1000


@dataclass(frozen=True)
class Item:
    """An item of the rubric; texts and words by language.

    `split_from` is the item that this one was a part of before revision `since`: marks from before that revision which
    have that item have this one as well.
    """

    id: str
    points: float
    text: dict[str, str]
    words: dict[str, str]
    split_from: str = ""
    since: int = 0

    def text_in(self, language: str) -> str:
        """Return the text in a language; else in the first language that has a text."""
        return self.text.get(language) or next((text for text in self.text.values() if text), self.id)


@dataclass(frozen=True)
class Rubric:
    """The items in their order. `revision` grows with each change.

    `former` has the items from before a change until all marks that the change moves are in the gradebook, else None.
    """

    items: tuple[Item, ...]
    revision: int = 0
    former: tuple[Item, ...] | None = None

    def given(self, items: Iterable[str], revision: int) -> list[str]:
        """Return the items that a mark has today, given its items and the rubric's revision when it was given."""
        ids = set(items)
        for item in self.items:
            if item.split_from in ids and revision < item.since:
                ids.add(item.id)
        return [item.id for item in self.items if item.id in ids]

    def points(self, items: Iterable[str], revision: int, adjustment: float, most: float) -> float:
        """Return a mark's points: the sum of its items' and the adjustment, from 0 to `most`."""
        given = set(self.given(items, revision))
        total = sum(item.points for item in self.items if item.id in given) + adjustment
        return round(min(most, max(0.0, total)), DECIMALS)

    def before_change(self) -> "Rubric | None":
        """Return the rubric before a change that is not yet in the gradebook, None without such a change."""
        return None if self.former is None else Rubric(self.former, self.revision - 1)

    def settled(self) -> "Rubric":
        """Return the rubric after the gradebook has got all marks that a change moved."""
        return replace(self, former=None)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Rubric":
        former = data.get("former")
        before = None if former is None else tuple(Item(**item) for item in former)
        return cls(tuple(Item(**item) for item in data["items"]), int(data["revision"]), before)


def copy_for_course(lesson: Lesson, essay: Cell, most: float) -> Rubric:
    """Return a lesson's rubric for a course, in all languages, with points that add up to the course's `most`."""
    items = rubric_of(essay)
    total = sum(item.points for item in items if item.points > 0)
    scale = most / total if total else 1.0
    return Rubric(
        tuple(
            Item(
                item.id,
                round(item.points * scale, DECIMALS),
                {language: lesson_text(lesson, item.text, language) for language in LANGUAGES},
                {language: lesson_text(lesson, item.words, language) for language in LANGUAGES},
            )
            for item in items
        )
    )


def checked_items(data: Any, revision: int) -> tuple[Item, ...]:
    """Return the items that a grader's page sent; new splits are dated to this revision. Raises: ValueError."""
    if not isinstance(data, list) or not 0 < len(data) <= MAX_ITEMS:
        raise ValueError(f"A rubric has from 1 to {MAX_ITEMS} items.")
    items = tuple(_checked(item, revision) for item in data)
    if len({item.id for item in items}) < len(items):
        raise ValueError("Two items have the same id.")
    return items


def _checked(data: Any, revision: int) -> Item:
    try:
        points = round(float(data["points"]), DECIMALS)
        text, words = ({name: str(data[key].get(name, "")) for name in LANGUAGES} for key in ("text", "words"))
        item = Item(str(data["id"]), points, text, words, str(data.get("split_from", "")), int(data.get("since") or 0))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise ValueError("An item needs an id, points, and texts by language.") from None
    # `not abs(points) <= …` refuses NaN as well, which compares as false.
    sizes = [len(string) for string in (item.id, item.split_from, *item.text.values(), *item.words.values())]
    if max(sizes) > MAX_TEXT or not abs(points) <= MAX_TEXT or not any(map(str.strip, item.text.values())):
        raise ValueError(f"An item needs a text of at most {MAX_TEXT} characters, and a number as points.")
    return replace(item, since=revision) if item.split_from and not item.since else item
