"""Finds every text that students may read, for the translators' catalogues.

Each text stands where it is used: marked with `N_(...)` in the code, as a title, ask or hint of a check or exam, as a
sentence in the catalogue of mistakes, or in a lesson's cell (`shown.py`). No second list exists. If a test renders a
text that is not found here, that test fails (`tests/conftest.py`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polib
from babel.messages.extract import extract_python

from autograder import mistakes
from autograder.common.paths import ROOT, lesson_names, own_lessons
from autograder.course import shown
from autograder.course.faithful import complaints
from autograder.exams import reference
from autograder.exams.exam import exams_of
from autograder.lesson.text import Lesson
from autograder.lesson.translation import TRANSLATED, catalogue_path, prose, update_catalogue

# The functions that mark a text which a figure shows.
DRAWN = ("label", "L_")


@dataclass(frozen=True)
class State:
    """The state of a catalogue: what is wrong with it, and how many of its texts are stale or obsolete."""

    path: Path
    wrong: list[str]
    stale: int
    obsolete: int

    def __str__(self) -> str:
        counts = {"to mend": len(self.wrong), "stale": self.stale, "obsolete": self.obsolete}
        said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
        return f"{self.path.relative_to(ROOT)}: {said or 'complete'}"


def texts() -> list[str]:
    """Return every message, in a fixed order, each once."""
    found = [text for lesson in map(Lesson.load, lesson_names()) for text in messages_of(lesson)]
    return list(dict.fromkeys([*found, *marked_texts()]))


def messages_of(lesson: Lesson) -> list[str]:
    """Return the messages of one lesson: of its checks and exams, its mistakes, and what its cells show."""
    found: list[str] = []
    for check in reference.checks_of(lesson).values():
        found += [check.title, *check.hints, *(test.ask for test in check.tests.values())]
    for exam in exams_of(lesson).values():
        found += [test.ask for test in exam.tests.values()]
    found += [mistake.says for mistake in mistakes.load(lesson).values()]
    found += [look_alikes.says for look_alikes in mistakes.classes_of(lesson)]
    found += mistakes.whys_of(lesson).values()
    return [text for text in [*found, *shown.of_lesson(lesson)] if text]


def marked_texts() -> list[str]:
    """Return the texts that the code of both packages marks."""
    paths = [path for folder in ("utils", "autograder") for path in sorted((ROOT / folder).rglob("*.py"))]
    return [text for path in paths for text in _of_module(path, ("N_", *DRAWN))]


def labels() -> list[str]:
    """Return the texts that figures show: those that modules mark as labels, and those of the lessons' cells."""
    marked = [text for path in sorted((ROOT / "utils").rglob("*.py")) for text in _of_module(path, DRAWN)]
    return [*marked, *(text for name in lesson_names() for text in shown.of_lesson(Lesson.load(name)))]


def _of_module(path: Path, marks: tuple[str, ...]) -> list[str]:
    """Return the texts that a module marks with one of `marks`, in their order."""
    with path.open("rb") as file:
        found = [arguments for _, _, arguments, _ in extract_python(file, dict.fromkeys(marks), (), {})]
    first = [one[0] if isinstance(one, tuple) else one for one in found]  # a label's values follow its text
    return [str(text) for text in first if text]


def states() -> list[State]:
    """Return the state of each catalogue, in the order of languages and lessons."""
    found = []
    for language in TRANSLATED:
        for name in ("messages", *lesson_names()):
            path = catalogue_path(language, name)
            catalogue = polib.pofile(str(path)) if path.exists() else polib.POFile()
            wrong = list(complaints(catalogue, is_prose=name != "messages"))
            found.append(State(path, wrong, _stale(catalogue), len(catalogue.obsolete_entries())))
    return found


def update_all() -> dict[str, tuple[int, int]]:
    """Bring all catalogues up to date; return how many texts each lacks, and how many changed since translated."""
    left = {}
    for path, catalogue in _up_to_date():
        path.parent.mkdir(parents=True, exist_ok=True)
        catalogue.save(str(path))
        left[str(path.relative_to(ROOT))] = len(catalogue.untranslated_entries()), _stale(catalogue)
    return left


def behind() -> list[str]:
    """Return the catalogues whose texts are not those of the lessons and modules, with how many texts they lack."""
    found = []
    for path, catalogue in _up_to_date():
        has = _texts_of(polib.pofile(str(path)) if path.exists() else polib.POFile())
        if has != (wanted := _texts_of(catalogue)):
            found.append(f"{path.relative_to(ROOT)} (texts that it lacks: {len(wanted - has)})")
    return found


def _up_to_date() -> Iterator[tuple[Path, polib.POFile]]:
    """Yield the path of each catalogue, and the catalogue with the texts of today."""
    wanted = {"messages": texts()} | {name: prose(Lesson.load(name)) for name in lesson_names()}
    for language in TRANSLATED:
        for name, found in wanted.items():
            path = catalogue_path(language, name)
            yield path, update_catalogue(path, language, found)


def _texts_of(catalogue: polib.POFile) -> set[str]:
    return {entry.msgid for entry in catalogue if not entry.obsolete}


def update_own(course: Path, language: str) -> dict[str, tuple[int, int]]:
    """Bring the catalogues of a course's own lessons in its language up to date; return what `update_all` does.

    A catalogue holds prose and messages; what the workbook has translated already is left out.
    """
    left = {}
    for name, folder in own_lessons().items():
        lesson = Lesson.load(name)
        workbooks = [polib.pofile(str(path)) for path in _workbooks(language, name)]
        known = {entry.msgid for catalogue in workbooks for entry in catalogue if not entry.obsolete}
        wanted = dict.fromkeys(text for text in [*prose(lesson), *messages_of(lesson)] if text not in known)
        path = folder / f"{language}.po"
        catalogue = update_catalogue(path, language, list(wanted))
        catalogue.save(str(path))
        left[str(path.relative_to(course))] = len(catalogue.untranslated_entries()), _stale(catalogue)
    return left


def _workbooks(language: str, name: str) -> list[Path]:
    return [path for path in (catalogue_path(language, one) for one in ("messages", name)) if path.exists()]


def _stale(catalogue: polib.POFile) -> int:
    """Return how many texts have changed since they were translated."""
    return sum("fuzzy" in entry.flags and not entry.obsolete for entry in catalogue)
