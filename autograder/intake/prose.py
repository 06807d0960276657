"""The prose of a lesson's release, by which its cells are known where an editor has lost their labels.

It is compared line by line, by letters, digits and symbols alone: editors wrap lines differently, and change marks of
formatting.
"""

import functools
import re
from typing import NamedTuple

from autograder.common.nodes import grade_id
from autograder.intake.known import MAX_COMPARED
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson
from autograder.lesson.translation import TEXT_STUB, translate_notebook
from utils.common.messages import LANGUAGES, translate

# So many of a paragraph's first letters are known as its beginning, so many letters anywhere as a line of the lesson;
# fewer could be a student's own words.
BEGINNING, LINE = 12, 30
# A text resembles a question if it has this share of the question's runs of RUN letters.
RESEMBLES, RUN = 0.5, 8
# An HTML tag that only arranges text; pictures, drawings and comments are a student's words.
TAG = re.compile(r"<(?!!|/?(?:img|svg|path|video|audio)\b)[^<>]{1,200}>")
# Punctuation and spaces; arrows, mathematical signs and emoji may be a whole answer.
NO_LETTERS = re.compile("[^\\w\u2190-\u24ff\u25a0-\u2bff\U0001f000-\U0001faff]+|_")


def letters(text: str) -> str:
    """Return the letters, digits and symbols of a text, without HTML tags."""
    return NO_LETTERS.sub("", TAG.sub("", text) if "<" in text else text)


class Place(NamedTuple):
    """A place in the release's prose: a cell, and how many of its letters are before the place."""

    cell: str
    end: int


class Prose:
    """The release's prose in one language, to follow a student's text line by line."""

    def __init__(self, texts: dict[str, str]):
        self.whole = {cell: letters(text) for cell, text in texts.items()}
        self.runs = {cell: self.runs_in(cell) for cell in self.whole if cell.endswith("-question")}
        self._places: dict[str, list[Place]] = {}  # RUN letters, or a short paragraph -> where they are
        self._begins, self._ends = set[Place](), set[Place]()  # of paragraphs
        for cell, text in texts.items():
            end = 0
            for paragraph in re.split(r"\n\s*\n", text):
                begin, end = end, end + len(letters(paragraph))
                self._begins.add(Place(cell, begin))
                self._ends.add(Place(cell, end))
                if end - begin < RUN:
                    self._places.setdefault(self.whole[cell][begin:end], []).append(Place(cell, begin))
            for place in range(end - RUN + 1):
                self._places.setdefault(self.whole[cell][place : place + RUN], []).append(Place(cell, place))

    def runs_in(self, cell: str) -> set[str]:
        return runs_of(self.whole.get(cell, ""))

    def follow(self, line: str, last: Place | None) -> tuple[Place, int] | None:
        """Return the place to which a line (its letters) leads, and how many of its letters are the lesson's.

        None for a line that is not the lesson's. `last` is the place that the line before led to. A line that goes on
        beyond the end of a question leads to that end: the rest is an answer.
        """
        continued = [last] if last and last.cell in self.whole else []
        for begin in [*continued, *self._places.get(line[:RUN], [])]:
            text = self.whole[begin.cell]
            end = Place(begin.cell, begin.end + len(line))
            least = 0 if begin is last else BEGINNING if begin in self._begins else LINE
            whole = begin in self._begins and end in self._ends
            if text.startswith(line, begin.end) and (whole or len(line) >= least):
                return end, len(line)
            rest = text[begin.end :] if begin.cell in self.runs else ""
            if len(rest) >= least and rest and line.startswith(rest):
                return Place(begin.cell, len(text)), len(rest)
        return None

    def resembled(self, text: str) -> tuple[str, bool]:
        """Return the question that a text (its letters) resembles, "" for none, and whether there is more in the text.

        A student may have written between the question's words.
        """
        runs = runs_of(text) if len(text) <= MAX_COMPARED else set()
        for cell, of_question in self.runs.items():
            if of_question and len(runs & of_question) >= RESEMBLES * len(of_question):
                return cell, not runs <= of_question
        return "", False


def runs_of(text: str) -> set[str]:
    return {text[i : i + RUN] for i in range(len(text) - RUN + 1)}


@functools.cache
def prose_of(lesson: Lesson, language: str) -> Prose:
    """Return the text of all cells of a release that nbgrader does not know: prose, and the code cells for trials."""
    release = release_notebook(lesson)
    shown = release if language == "en" else translate_notebook(release, language, lesson)
    return Prose({cell.id: cell.source for cell in shown.cells if not grade_id(cell)})


@functools.cache
def text_stubs() -> frozenset[str]:
    """Return the letters of nbgrader's empty answer in each language."""
    return frozenset(letters(text) for text in (TEXT_STUB, *(translate(TEXT_STUB, language) for language in LANGUAGES)))
