"""Every generated file is made from one source: `make build` writes the files, `build --check` compares them.

    source/<lesson>.py                 ->  source/<lesson>/<lesson>.ipynb     the instructor's notebook
                                       ->  utils/checks/answers/<lesson>.json the public checks' answers
                                       ->  utils/checks/cases/<lesson>.json  the small cases that checks show
      with its translations            ->  utils/checks/outlines/<lesson>.json its questions, points and headings
    source/<lesson>/<lesson>.ipynb     ->  release/<lesson>/<lesson>.ipynb    by nbgrader generate_assignment
    release/… and <language>/<lesson>.po -> notebooks/<language>/<lesson>.ipynb
    notebooks/<language>/messages.po   ->  utils/locale/<language>/LC_MESSAGES/messages.mo
      and a large font's letters       ->  utils/fonts/<language>.otf         if figures need any
    pyproject.toml                     ->  environment.yml                    the same packages for conda

The same sources give the same bytes. An instructor's notebook that was edited after it was built is never overwritten:
`pull` brings the edit into the text.
"""

import contextlib
import hashlib
import inspect
import json
import logging
import re
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import polib
from nbformat import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder import mistakes
from autograder.common.errors import BuildError
from autograder.common.nodes import read_notebook
from autograder.common.paths import ROOT, SOURCE, lesson_names, own_lessons, write_whole
from autograder.course.faithful import compiled
from autograder.course.fonts import fonts
from autograder.course.lookalikes import refuse_unsaid
from autograder.course.mutants import mutants_of, refuse_unmade
from autograder.course.outlines import outline
from autograder.course.requirements import for_workbook
from autograder.course.small_cases import stored_cases
from autograder.exams import reference
from autograder.exams.exam import exams_of
from autograder.lesson.release import OF_THE_COURSE, PREPROCESSORS
from autograder.lesson.text import (
    TEST_PREFIX,
    Lesson,
    built_from,
    content_hash,
    read_instructors,
    to_text,
    write_notebook,
)
from autograder.lesson.translation import NOTEBOOKS, TRANSLATED, catalogue_path, translate_notebook
from autograder.lesson.wrapping import tidy
from utils.checks.engine.answer_key import ANSWERS, StoredKey, store_answers, store_pairs
from utils.checks.engine.cases import FOLDER as CASES
from utils.checks.engine.pair_prints import Pair
from utils.checks.outline import OUTLINES
from utils.common.messages import LOCALE

# The public checks, on whose code the answers depend.
CHECKS = ANSWERS.parent


def build(lessons: list[Lesson], *, check: bool = False, force: bool = False) -> list[Path]:
    """Write the generated files; return those that changed. With `check`, write nothing.

    Raises: BuildError when an instructor's notebook holds an edit that the text lacks (unless `force`).
    """
    if not check and not force:
        for lesson in lessons:
            refuse_to_lose_edits(lesson)
    generated: dict[Path, bytes] = {}
    for lesson in lessons:
        generated |= of_lesson(lesson, exams=not check)
    generated |= locales() | fonts() | {ROOT / "environment.yml": for_workbook().encode()}
    changed = [path for path, content in generated.items() if not path.is_file() or path.read_bytes() != content]
    if not check:
        for path in changed:
            write_whole(path, generated[path])  # a program that reads meanwhile gets the old file or the new, whole
    return changed


def of_lesson(lesson: Lesson, *, exams: bool) -> dict[Path, bytes]:
    """Return the lesson's generated files; `exams`: also refuse mistakes that an exam mixes up, which takes longer."""
    file_name = f"{lesson.name}.ipynb"
    instructors = lesson.to_instructors()
    released = generate(instructors, lesson.name)
    files = {
        _instructors_path(lesson): write_notebook(instructors),
        ROOT / "release" / lesson.name / file_name: write_notebook(released),
        NOTEBOOKS / "en" / file_name: write_notebook(released),
        ANSWERS / f"{lesson.name}.json": answers(lesson, exams=exams),
        OUTLINES / f"{lesson.name}.json": outline(lesson),
    }
    if cases := stored_cases(lesson):
        files[CASES / f"{lesson.name}.json"] = cases
    for language in TRANSLATED:
        if catalogue_path(language, lesson.name).exists():
            files[NOTEBOOKS / language / file_name] = write_notebook(translate_notebook(released, language))
    return {path: text.encode() for path, text in files.items()}


def generate(instructors: NotebookNode, lesson_name: str) -> NotebookNode:
    """Return the students' notebook, made by nbgrader's generate_assignment in a temporary course."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source", lesson_name, f"{lesson_name}.ipynb")
        source.parent.mkdir(parents=True)
        source.write_text(write_notebook(instructors), encoding="utf-8")
        config = Config()
        config.CourseDirectory.root = folder
        config.CourseDirectory.assignment_id = lesson_name
        config.GenerateAssignment.no_database = True
        config.SaveCells.enabled = False
        config.GenerateAssignment.preprocessors = [step for step in PREPROCESSORS if step not in OF_THE_COURSE]
        converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
        converter.log.setLevel(logging.ERROR)
        converter.start()
        released = read_notebook(Path(folder, "release", lesson_name, f"{lesson_name}.ipynb"))
    released.metadata["workbook"].pop("built", None)
    return released


def answers(lesson: Lesson, *, exams: bool) -> str:
    """Return the content of a lesson's file of answers: a line for each value, not indented, which takes less space."""
    return json.dumps(answers_of(lesson, exams=exams), indent=0, sort_keys=True, ensure_ascii=False) + "\n"


def answers_of(lesson: Lesson, *, exams: bool, known: Collection[str] = ()) -> dict[str, Any]:
    """Return the public checks' answers: the reference's results, and the mistakes' fingerprints.

    known: questions that are left out.
    """
    refuse_tests_that_test_nothing(lesson)
    refuse_unmade(lesson)
    questions = {}
    for name, question in reference.checks_of(lesson).items():
        if name in known:
            continue
        if name not in lesson.tests:
            raise BuildError(f"The check {name} has no cell “# %% test {name} POINTS” in the text of {lesson.name}.")
        questions[name] = store_answers(question, reference.students_of(lesson, name), mutants_of(lesson, name))
    stored = {
        "questions": questions,
        **_pairs(lesson, questions),
        "says": {mistake.id: mistake.says for mistake in mistakes.load(lesson).values()},
        "whys": _whys(lesson),
        "classes": {found.id: {"of": sorted(found.of), "says": found.says} for found in mistakes.classes_of(lesson)},
    }
    refuse_unsaid(lesson, {name: StoredKey(stored, name) for name in questions}, exams=exams)
    return stored


def _whys(lesson: Lesson) -> list[dict[str, Any]]:
    """Return each text on what goes wrong, once, with the ids of the mistakes that it belongs to."""
    of: dict[str, list[str]] = {}
    for mistake, text in mistakes.whys_of(lesson).items():
        of.setdefault(text, []).append(mistake)
    return [{"of": ids, "says": text} for text, ids in of.items()]


def _pairs(lesson: Lesson, questions: dict[str, Any]) -> dict[str, Any]:
    """Return the prints of two mistakes at once, by question, and a checksum of what they are computed from.

    To compute them takes a minute. So they are taken from the file of the last build if the checksum is the same.
    """
    path = ANSWERS / f"{lesson.name}.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    checksum = checksum_of_pairs(lesson, questions)
    if before.get("pairs_of") == checksum:
        return {"pairs": before["pairs"], "pairs_of": checksum}
    checks = reference.checks_of(lesson)
    pairs = {name: store_pairs(checks[name], stored, pair_students(lesson, name)) for name, stored in questions.items()}
    return {"pairs": pairs, "pairs_of": checksum}


def checksum_of_pairs(lesson: Lesson, questions: dict[str, Any]) -> str:
    """Return a checksum of what decides the prints of pairs: results of single mistakes, code of pairs, checks, prints.

    questions: the stored answers without pairs. Changes of the engine show in these, as far as they change results;
    `store_pairs` does not show in them, so its code is in the checksum by itself.
    """
    places = [CHECKS / lesson.name, CHECKS / f"{lesson.name}.py", CHECKS / "engine" / "pair_prints.py"]
    files = [path for place in places for path in (sorted(place.rglob("*.py")) or [place]) if path.is_file()]
    parts = [*(path.read_text(encoding="utf-8") for path in files), json.dumps(questions, sort_keys=True)]
    parts += [inspect.getsource(store_pairs), *(cell.code for cell in lesson.of_role("given", "solution"))]
    for name in sorted(questions):
        parts += [str((pair, code)) for pair, code in reference.pairs_of(lesson, name).items()]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def pair_students(lesson: Lesson, question: str) -> Iterator[tuple[Pair, tuple[Any, ...]]]:
    """Yield each pair of mistakes of a question, and the objects of a student who makes both."""
    for pair in reference.pairs_of(lesson, question):
        with contextlib.suppress(Exception):  # a cell that raises with both has no results to recognise
            yield pair, reference.pair_students(lesson, question, pair)


def locales() -> dict[Path, bytes]:
    """Return the compiled message catalogues."""
    found = {}
    for language in TRANSLATED:
        source = catalogue_path(language, "messages")
        if source.exists():
            found[LOCALE / language / "LC_MESSAGES" / "messages.mo"] = compiled(polib.pofile(str(source)))
    return found


# ---- edits of the instructor's notebook ---------------------------------------------------------------


def _instructors_path(lesson: Lesson) -> Path:
    return SOURCE / lesson.name / f"{lesson.name}.ipynb"


def _edited(lesson: Lesson) -> NotebookNode | None:
    """Return the instructor's notebook if it was edited after it was built, else None."""
    path = _instructors_path(lesson)
    if not path.is_file():
        return None
    notebook = read_instructors(path)
    return notebook if lesson.lacks_edit_of(notebook) else None


def refuse_to_lose_edits(lesson: Lesson) -> None:
    """Raises: BuildError if the instructor's notebook holds an edit that the text lacks."""
    if _edited(lesson) is not None:
        name = lesson.name
        raise BuildError(
            f"source/{name}/{name}.ipynb was edited since it was built; bring the edit into source/{name}.py "
            f"with `python -m autograder build {name} --pull`, or throw it away with `--force`."
        )


def pull(lesson: Lesson) -> Lesson | None:
    """Bring an edit of the instructor's notebook into the lesson's text.

    Returns: the lesson with the edit, None if there was no edit. Raises: BuildError, before anything is written, if
    the text was changed as well after the notebook was built, or has no form for a cell.
    """
    notebook = _edited(lesson)
    if notebook is None:
        return None
    name = lesson.name
    if built_from(notebook) != content_hash(lesson.to_notebook()):
        raise BuildError(
            f"Both source/{name}.py and source/{name}/{name}.ipynb were edited since the last build; "
            "keep a copy of the notebook, run `make build` with --force, and make its edit again."
        )
    refuse_what_text_cannot_hold(notebook, name)
    text = to_text(notebook)
    edited = Lesson.parse(name, text)  # raises, before anything is written, if the text cannot be built again
    if Lesson.parse(name, to_text(edited.to_notebook())) != edited or lacks_of(edited, notebook):
        raise BuildError(
            f"source/{name}/{name}.ipynb holds a cell that source/{name}.py cannot hold as it is; undo the last edits "
            "in the notebook, one by one. Nothing was written."
        )
    (SOURCE / f"{name}.py").write_text(text, encoding="utf-8")
    return edited


def refuse_what_text_cannot_hold(notebook: NotebookNode, name: str) -> None:
    """Raises: BuildError, in terms of the notebook's user interface, for a cell that a lesson's text cannot hold."""
    panel = "in the Create Assignment panel,"
    for number, cell in enumerate(notebook.cells, start=1):
        marks = cell.metadata.get("nbgrader", {})
        grade_id = str(marks.get("grade_id", ""))
        wrong = ""
        if cell.cell_type == "raw":
            wrong = "is a raw cell; make it Markdown or Code in the toolbar, or delete it"
        elif marks.get("task"):
            wrong = "is a “Manually graded task”; choose “Manually graded answer” in the Create Assignment panel"
        elif marks and not re.fullmatch(r"[a-z][a-z0-9_]*", grade_id):
            wrong = f"has the ID {grade_id!r}; {panel} give it one of small letters, digits and _"
        elif marks.get("grade") and not marks.get("solution") and not grade_id.startswith(TEST_PREFIX):
            wrong = f"is a test with the ID {grade_id!r}; {panel} let it begin with {TEST_PREFIX}"
        elif marks.get("grade") and marks.get("solution") and cell.cell_type == "code":
            wrong = "is code that is graded by hand; make the answer a Markdown cell, or let a test grade it"
        if wrong:
            raise BuildError(
                f"Cell {number} of source/{name}/{name}.ipynb {wrong}. Nothing was written; save the notebook and run "
                "the same command again."
            )


def lacks_of(lesson: Lesson, notebook: NotebookNode) -> bool:
    """Return whether a notebook's cells are others than those of the lesson's text; empty cells do not count."""
    return _sources(lesson.to_notebook()) != _sources(notebook)


def _sources(notebook: NotebookNode) -> list[str]:
    return [source for cell in notebook.cells if (source := cell.source.strip())]


def refuse_tests_that_test_nothing(lesson: Lesson) -> None:
    """Raises: BuildError for a test cell whose question lacks a check or an exam."""
    checks, exams = reference.checks_of(lesson), exams_of(lesson)
    own = own_lessons().get(lesson.name)
    for name in lesson.tests:
        for kind, known, package in (("check", checks, "utils/checks"), ("exam", exams, "autograder/exams")):
            if name not in known:
                place = own / f"{kind}.py" if own else f"{package}/{lesson.name}.py"
                raise BuildError(
                    f"The cell “# %% test {name}” of {lesson.name} has no {kind}; write it into {place}, or take the "
                    "cell away."
                )


def tidy_all(lessons: list[Lesson], check: bool) -> list[Path]:
    """Fill the lines of the lessons' prose; return the texts that changed. With `check`, write nothing.

    Raises: BuildError if an instructor's notebook holds an edit, which could not be pulled after the text changed.
    """
    changed = {}
    for lesson in lessons:
        path, text = SOURCE / f"{lesson.name}.py", tidy(lesson)
        if text != path.read_text(encoding="utf-8"):
            changed[path] = text
            if not check:
                refuse_to_lose_edits(lesson)
    if not check:
        for path, text in changed.items():
            path.write_text(text, encoding="utf-8")
    return list(changed)


def all_or_named(names: tuple[str, ...]) -> list[Lesson]:
    """Return the lessons to work on; all of them when none is named. Raises: LessonError for an unknown one."""
    return [Lesson.load(name) for name in names or lesson_names()]
