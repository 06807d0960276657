"""Finds every text that students may read, for the translators' catalogues.

Each text is written where it is used: marked with `N_(...)` in the code, `_(...)` in a page's template or `say(...)` in
its script, as a title, ask or hint of a check or exam, as a sentence in the catalogue of mistakes, or in a lesson's
cell (`shown.py`). No second list exists. If a test renders a text that is not found here, that test fails
(`tests/conftest.py`).
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import polib
from jinja2 import Environment, nodes

from autograder import mistakes
from autograder.common.course import EXAM, MISTAKES, WORKBOOK, Course
from autograder.common.paths import ROOT, write_whole
from autograder.common.sentences import said_in
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
    messages_path,
    prose,
    text_of,
    update_catalogue,
)
from utils.checks.engine.question import Question
from utils.common.messages import in_context

# The functions that mark a text which a figure shows.
DRAWN = ("label", "L_")
IN_CONTEXT = "in_context"
# The classes of errors whose literal sentences are shown in the course's language.
ERRORS = (
    "LessonError GradingError StoreError SandboxError ContainerError CourseError AnotherGrading SandboxLost Skip "
    "PlatformError"
)
MARKS = ("N_", "T_", IN_CONTEXT, *DRAWN, *ERRORS.split())
NOTES = NOTEBOOKS / "notes.toml"
# The name of the catalogue `notebooks/LANGUAGE/messages.po`; the others are named after their lessons.
SHARED = "messages"


@dataclass(frozen=True)
class CatalogueState:
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


def places(course: Course) -> dict[str, list[str]]:
    """Return every message of a course's own lessons and modules, in a fixed order, with the files that use it."""
    files: dict[str, list[str]] = {}
    for text, path in [*_uses_in_lessons(course), *_uses_elsewhere(course)]:
        place = str(path.relative_to(course.folder))
        if place not in (known := files.setdefault(text, [])):
            known.append(place)
    return files


def notes() -> dict[str, str]:
    """Return the notes for translators on words without a sentence around them, by text (`notebooks/notes.toml`)."""
    return read_toml(NOTES)


def by_catalogue(course: Course, messages: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the texts of each catalogue. A lesson's has its prose, then the messages that no other file uses.

    `SHARED` has all other messages, and the prose that lessons have in common; a course has only the catalogues of its
    own lessons. `messages`: the course's, with their `places`.
    """
    lessons_with: dict[str, set[str]] = {}
    for name in course.own:
        for text in prose(Lesson.load(name, course)):
            lessons_with.setdefault(text, set()).add(name)
    for text, files in messages.items():
        lessons_with[text] = lessons_with.pop(text, set()) | {file.split("/")[1] for file in files}
    texts: dict[str, list[str]] = {name: [] for name in [*[SHARED] * course.is_workbook, *course.own]}
    for text, lessons in lessons_with.items():
        shared = course.is_workbook and (len(lessons) > 1 or not lessons & texts.keys())
        for name in [SHARED] if shared else lessons:
            texts[name].append(text)
    return texts


def _uses_in_lessons(course: Course) -> Iterator[tuple[str, Path]]:
    """Yield each message of the course's own lessons, and the file in the lesson's folders that contains it."""
    for name, part in course.own.items():
        lesson = Lesson.load(name, course)
        check, exam = part.utils / f"{part.check}.py", part.source / EXAM
        said: dict[Path, list[str]] = {check if check.is_file() else check.with_suffix(""): [], exam: []}
        checks = next(iter(said))
        for question in reference.checks_of(lesson).values():
            if _module_of(question).endswith(part.check) or part is lesson.parts[0]:
                said[checks] += [question.title, *question.hints, *(test.ask for test in question.tests.values())]
        for graded in exams_of(lesson).values():
            said[exam] += [test.ask for test in graded.tests.values()]
        said[part.source / MISTAKES] = [
            *(mistake.says for mistake in mistakes.load(lesson).values()),
            *(look_alikes.says for look_alikes in mistakes.classes_of(lesson)),
            *mistakes.whys_of(lesson).values(),
        ]
        said[part.text] = shown.of_lesson(lesson)
        for path in [*sorted(part.utils.rglob("*.py")), *([exam] if exam.is_file() else [])]:
            said.setdefault(path, []).extend(_of_module(path, MARKS))
        yield from ((text, path) for path, texts in said.items() for text in texts if text)


def _module_of(check: Question) -> str:
    """Return the name of the module that defines a check."""
    return next(iter(check.tests.values())).function.__module__


def _uses_elsewhere(course: Course) -> Iterator[tuple[str, Path]]:
    """Yield each message of modules and templates outside of the lessons' folders, and the file; none in a course."""
    for folder in ("utils", "autograder") if course.is_workbook else ():
        for path in sorted((ROOT / folder).rglob("*.*")):
            if path.suffix in READ and path.relative_to(ROOT).parts[1] not in course.own:
                yield from ((text, path) for text in READ[path.suffix](path))


def labels() -> list[str]:
    """Return the texts that figures show: those that modules mark as labels, and those of the lessons' cells."""
    marked = [text for path in sorted((ROOT / "utils").rglob("*.py")) for text in _of_module(path, DRAWN)]
    return [*marked, *(text for name in WORKBOOK.own for text in shown.of_lesson(Lesson.load(name, WORKBOOK)))]


def _of_template(path: Path) -> list[str]:
    """Return the texts of a page's template: the literal first arguments of calls of `_`."""
    calls = Environment().parse(path.read_text(encoding="utf-8")).find_all(nodes.Call)
    marked = (call.args[0] for call in calls if call.args and getattr(call.node, "name", "") == "_")
    return [text.value for text in marked if isinstance(text, nodes.Const)]


def _of_script(path: Path) -> list[str]:
    """Return the texts of a page's script; in `utils` they are written in Python, beside the explorers."""
    return said_in(path.read_text(encoding="utf-8")) if path.is_relative_to(ROOT / "autograder") else []


def _of_module(path: Path, marks: tuple[str, ...]) -> list[str]:
    """Return the texts that a module marks: the literal first arguments of calls of `marks`, in their order."""
    return list(_of_code(path.read_bytes(), marks))


# How texts are read from a file, by its ending.
READ = {".py": lambda path: _of_module(path, MARKS), ".j2": _of_template, ".js": _of_script}


@cache  # the build asks for each language
def _of_code(code: bytes, marks: tuple[str, ...]) -> tuple[str, ...]:
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    texts = []
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        match call.args if name in marks else []:
            case [ast.Constant(value=str(context)), ast.Constant(value=str(text))] if name == IN_CONTEXT:
                texts.append(in_context(context, text))
            case [ast.Constant(value=str(text)), *_] if text:
                texts.append(text)
    return tuple(texts)


def states() -> list[CatalogueState]:
    """Return the state of each of the workbook's catalogues, in the order of languages and lessons."""
    states = []
    texts = {text for name in WORKBOOK.own for text in prose(Lesson.load(name, WORKBOOK))}
    for language in TRANSLATED:
        whole = not begun(language)
        for name in (SHARED, *WORKBOOK.own):
            path = path_of(WORKBOOK, language, name)
            catalogue = polib.pofile(str(path)) if path.exists() else polib.POFile()
            wrong = list(complaints(catalogue, language, prose=texts, whole=whole))
            lacking = 0 if whole else len(catalogue.untranslated_entries())
            states.append(CatalogueState(path, wrong, _stale(catalogue), len(catalogue.obsolete_entries()), lacking))
    return states


def path_of(course: Course, language: str, name: str) -> Path:
    """Return the path of a catalogue: a lesson's, or `SHARED`."""
    return messages_path(language) if name == SHARED else course.own[name].source / f"{language}.po"


def update_all(
    course: Course, languages: Sequence[str] = TRANSLATED, *, drop_obsolete: bool = False, same: bool = False
) -> dict[str, tuple[int, int]]:
    """Bring a course's catalogues up to date; return how many texts each lacks, and how many changed since translated.

    drop_obsolete: forget the translations of texts that no longer exist, instead of keeping them in case the texts come
    back. same: edited texts still mean the same, so their translations need no review.
    """
    left = {}
    for path, catalogue in _up_to_date(course, languages, same):
        left[str(path.relative_to(course.folder))] = _save(catalogue, path, drop_obsolete)
    return left


def templates(course: Course) -> dict[str, polib.POFile]:
    """Return the catalogues without a language (`.pot`) from which translators' tools begin one, by name."""
    messages = places(course)
    hints = Hints(messages, notes())
    return {name: update_catalogue(Path(), "", texts, hints) for name, texts in by_catalogue(course, messages).items()}


def behind() -> list[str]:
    """Return the workbook's catalogues whose texts are out of date, with the number of texts they lack.

    The places and notes of the texts count as well.
    """
    behind = []
    for path, catalogue in _up_to_date(WORKBOOK, TRANSLATED):
        has = _texts_and_hints(polib.pofile(str(path)) if path.exists() else polib.POFile())
        if has != (now := _texts_and_hints(catalogue)):
            lacking = len(now.keys() - has.keys())
            behind.append(f"{path.relative_to(ROOT)} (texts that it lacks: {lacking})")
    return behind


def _up_to_date(course: Course, languages: Sequence[str], same: bool = False) -> Iterator[tuple[Path, polib.POFile]]:
    """Yield the path of each catalogue, and the catalogue with the texts of today.

    A course's catalogues leave out the texts that the workbook has translated already.
    """
    messages = places(course)
    hints, now = Hints(messages, notes()), by_catalogue(course, messages)
    for language in languages:
        known = {} if course.is_workbook else translations_of(language)
        for name, texts in now.items():
            path = path_of(course, language, name)
            own = [text for text in texts if text not in known]
            yield path, update_catalogue(path, language, own, hints, same=same)


def translations_of(language: str) -> dict[str, str]:
    """Return the texts that the workbook's catalogues have in a language, and their translations, "" for none."""
    paths = [path_of(WORKBOOK, language, name) for name in (SHARED, *WORKBOOK.own)]
    catalogues = [polib.pofile(str(path)) for path in paths if path.exists()]
    return {text_of(entry): entry.msgstr for catalogue in catalogues for entry in catalogue if not entry.obsolete}


def _texts_and_hints(catalogue: polib.POFile) -> dict[str, object]:
    """Return the texts of a catalogue, each with its places and its note."""
    return {text_of(entry): (entry.occurrences, entry.comment) for entry in catalogue if not entry.obsolete}


def _save(catalogue: polib.POFile, path: Path, drop_obsolete: bool) -> tuple[int, int]:
    """Write a catalogue; return how many texts it lacks, and how many are stale."""
    if drop_obsolete:
        for entry in catalogue.obsolete_entries():
            catalogue.remove(entry)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, str(catalogue))  # two builds at once must not read a half-written catalogue as an empty one
    return len(catalogue.untranslated_entries()), _stale(catalogue)


def _stale(catalogue: polib.POFile) -> int:
    """Return how many texts have changed since they were translated."""
    return sum("fuzzy" in entry.flags and not entry.obsolete for entry in catalogue)
