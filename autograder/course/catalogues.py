"""Finds every text that students may read, for the translators' catalogues.

Each text stands where it is used: marked with `N_(...)` in the code, as a title, ask or hint of a check or exam, as a
sentence in the catalogue of mistakes, or in a lesson's cell (`shown.py`). No second list exists. If a test renders a
text that is not found here, that test fails (`tests/conftest.py`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polib
from babel.messages.extract import extract_python

from autograder import mistakes
from autograder.common.paths import ROOT, lesson_names, own_lessons
from autograder.common.toml import read_toml
from autograder.course import shown
from autograder.course.faithful import complaints
from autograder.exams import reference
from autograder.exams.exam import exams_of
from autograder.lesson.text import Lesson
from autograder.lesson.translation import (
    NOTEBOOKS,
    TRANSLATED,
    Hints,
    begun,
    catalogue_path,
    prose,
    text_of,
    update_catalogue,
)
from utils.common.messages import in_context

# The functions that mark a text which a figure shows.
DRAWN = ("label", "L_")
IN_CONTEXT = "in_context"
MARKS = ("N_", IN_CONTEXT, *DRAWN)
NOTES = NOTEBOOKS / "notes.toml"


@dataclass(frozen=True)
class State:
    """The state of a catalogue: what is wrong with it, and how many of its texts are stale, obsolete or still lacking.

    An untranslated text counts as lacking in a language that has begun (`translation.begun`), as wrong in any other.
    """

    path: Path
    wrong: list[str]
    stale: int
    obsolete: int
    lacking: int = 0

    def __str__(self) -> str:
        counts = {"to mend": len(self.wrong), "stale": self.stale, "obsolete": self.obsolete}
        counts["in English until translated"] = self.lacking
        said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
        return f"{self.path.relative_to(ROOT)}: {said or 'complete'}"


def texts() -> list[str]:
    """Return every message, in a fixed order, each once."""
    return list(places())


def places() -> dict[str, list[str]]:
    """Return every message, in a fixed order, with the files that use it."""
    uses = [use for lesson in map(Lesson.load, lesson_names()) for use in _uses(lesson)]
    uses += [(text, str(path.relative_to(ROOT))) for path in _modules() for text in _of_module(path, MARKS)]
    found: dict[str, list[str]] = {}
    for text, place in uses:
        if place not in (known := found.setdefault(text, [])):
            known.append(place)
    return found


def notes() -> dict[str, str]:
    """Return the notes for translators on words without a sentence around them, by text (`notebooks/notes.toml`)."""
    return read_toml(NOTES)


def messages_of(lesson: Lesson) -> list[str]:
    """Return the messages of one lesson: of its checks and exams, its mistakes, and what its cells show."""
    return [text for text, _ in _uses(lesson)]


def _uses(lesson: Lesson) -> Iterator[tuple[str, str]]:
    """Yield each message of a lesson, and the workbook's file that holds it."""
    name = lesson.name
    module = f"utils/checks/{name}.py"
    checks = module if (ROOT / module).is_file() else f"utils/checks/{name}/"
    found: dict[str, list[str]] = {checks: [], f"autograder/exams/{name}.py": []}
    for check in reference.checks_of(lesson).values():
        found[checks] += [check.title, *check.hints, *(test.ask for test in check.tests.values())]
    for exam in exams_of(lesson).values():
        found[f"autograder/exams/{name}.py"] += [test.ask for test in exam.tests.values()]
    found[f"autograder/mistakes/{name}.toml"] = [
        *(mistake.says for mistake in mistakes.load(lesson).values()),
        *(look_alikes.says for look_alikes in mistakes.classes_of(lesson)),
        *mistakes.whys_of(lesson).values(),
    ]
    found[f"source/{name}.py"] = shown.of_lesson(lesson)
    return ((text, place) for place, said in found.items() for text in said if text)


def marked_texts() -> list[str]:
    """Return the texts that the code of both packages marks."""
    return [text for path in _modules() for text in _of_module(path, MARKS)]


def _modules() -> list[Path]:
    return [path for folder in ("utils", "autograder") for path in sorted((ROOT / folder).rglob("*.py"))]


def labels() -> list[str]:
    """Return the texts that figures show: those that modules mark as labels, and those of the lessons' cells."""
    marked = [text for path in sorted((ROOT / "utils").rglob("*.py")) for text in _of_module(path, DRAWN)]
    return [*marked, *(text for name in lesson_names() for text in shown.of_lesson(Lesson.load(name)))]


def _of_module(path: Path, marks: tuple[str, ...]) -> list[str]:
    """Return the texts that a module marks with one of `marks`, in their order."""
    texts: list[str | None] = []
    with path.open("rb") as file:
        for _, mark, found, _ in extract_python(file, dict.fromkeys(marks), (), {}):
            arguments: list[Any] = list(found) if isinstance(found, tuple) else [found]
            if mark != IN_CONTEXT:
                texts.append(arguments[0])  # a label's values follow its text
            elif len(arguments) == 2 and all(arguments):
                texts.append(in_context(*arguments))
    return [text for text in texts if text]


def states() -> list[State]:
    """Return the state of each catalogue, in the order of languages and lessons."""
    found = []
    for language in TRANSLATED:
        whole = not begun(language)
        for name in ("messages", *lesson_names()):
            path = catalogue_path(language, name)
            catalogue = polib.pofile(str(path)) if path.exists() else polib.POFile()
            wrong = list(complaints(catalogue, language, is_prose=name != "messages", whole=whole))
            lacking = 0 if whole else len(catalogue.untranslated_entries())
            found.append(State(path, wrong, _stale(catalogue), len(catalogue.obsolete_entries()), lacking))
    return found


def update_all(*, drop_obsolete: bool = False) -> dict[str, tuple[int, int]]:
    """Bring all catalogues up to date; return how many texts each lacks, and how many changed since translated.

    drop_obsolete: forget the translations of texts that are gone, in place of keeping them for when they come back.
    """
    left = {}
    for path, catalogue in _up_to_date():
        left[str(path.relative_to(ROOT))] = _save(catalogue, path, drop_obsolete)
    return left


def behind() -> list[str]:
    """Return the catalogues whose texts are not those of the lessons and modules, with how many texts they lack.

    The places and notes of the texts count as well.
    """
    found = []
    for path, catalogue in _up_to_date():
        has = _texts_and_hints(polib.pofile(str(path)) if path.exists() else polib.POFile())
        if has != (wanted := _texts_and_hints(catalogue)):
            lacking = len(wanted.keys() - has.keys())
            found.append(f"{path.relative_to(ROOT)} (texts that it lacks: {lacking})")
    return found


def _up_to_date() -> Iterator[tuple[Path, polib.POFile]]:
    """Yield the path of each catalogue, and the catalogue with the texts of today."""
    hints = Hints(places(), notes())
    wanted = {"messages": list(hints.places)} | {name: prose(Lesson.load(name)) for name in lesson_names()}
    for language in TRANSLATED:
        for name, found in wanted.items():
            path = catalogue_path(language, name)
            yield path, update_catalogue(path, language, found, hints)


def _texts_and_hints(catalogue: polib.POFile) -> dict[str, object]:
    """Return the texts of a catalogue, each with its places and its note."""
    return {text_of(entry): (entry.occurrences, entry.comment) for entry in catalogue if not entry.obsolete}


def update_own(course: Path, language: str, *, drop_obsolete: bool = False) -> dict[str, tuple[int, int]]:
    """Bring the catalogues of a course's own lessons in its language up to date; return what `update_all` does.

    A catalogue holds prose and messages; what the workbook has translated already is left out.
    """
    left = {}
    for name, folder in own_lessons().items():
        lesson = Lesson.load(name)
        workbooks = [polib.pofile(str(path)) for path in _workbooks(language, name)]
        known = {text_of(entry) for catalogue in workbooks for entry in catalogue if not entry.obsolete}
        wanted = dict.fromkeys(text for text in [*prose(lesson), *messages_of(lesson)] if text not in known)
        path = folder / f"{language}.po"
        catalogue = update_catalogue(path, language, list(wanted))
        left[str(path.relative_to(course))] = _save(catalogue, path, drop_obsolete)
    return left


def _save(catalogue: polib.POFile, path: Path, drop_obsolete: bool) -> tuple[int, int]:
    """Write a catalogue; return how many texts it lacks, and how many are stale."""
    if drop_obsolete:
        for entry in catalogue.obsolete_entries():
            catalogue.remove(entry)
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue.save(str(path))
    return len(catalogue.untranslated_entries()), _stale(catalogue)


def _workbooks(language: str, name: str) -> list[Path]:
    return [path for path in (catalogue_path(language, one) for one in ("messages", name)) if path.exists()]


def _stale(catalogue: polib.POFile) -> int:
    """Return how many texts have changed since they were translated."""
    return sum("fuzzy" in entry.flags and not entry.obsolete for entry in catalogue)
