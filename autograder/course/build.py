"""Every generated file is made from one source: `make build` writes the files, `build --check` compares them.

    source/LESSON/lesson.py            ->  source/LESSON/LESSON.ipynb         the instructor's notebook
                                       ->  utils/LESSON/made/answers.json     the public checks' answers
                                       ->  utils/LESSON/made/cases.json       the small cases that checks show
      with its translations            ->  utils/LESSON/made/outline.json     its questions, points and headings
    source/LESSON/LESSON.ipynb         ->  release/LESSON/LESSON.ipynb        by nbgrader generate_assignment
    release/… and source/LESSON/LANGUAGE.po -> notebooks/LANGUAGE/LESSON.ipynb
    source/LESSON/LANGUAGE.po          ->  utils/LESSON/made/LANGUAGE.mo      the messages of this lesson alone
    source/LESSON/data/                ->  utils/LESSON/made/…                data that the lesson makes for students
    notebooks/LANGUAGE/messages.po     ->  utils/locale/LANGUAGE/LC_MESSAGES/messages.mo
      and a large font's letters       ->  utils/fonts/<language>.otf         if figures need any

The same sources give the same bytes. An instructor's notebook that was edited after it was built is never overwritten:
`pull` brings the edit into the text.
"""

import contextlib
import hashlib
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
from autograder.common.course import EXAM, WORKBOOK, Part
from autograder.common.errors import BuildError
from autograder.common.nodes import read_notebook
from autograder.common.paths import ROOT, write_whole
from autograder.course.faithful import compiled
from autograder.course.fonts import fonts
from autograder.course.lookalikes import refuse_unsaid
from autograder.course.mutants import mutants_of, refuse_unmade
from autograder.course.outlines import outline
from autograder.course.small_cases import stored_cases
from autograder.exams import reference
from autograder.exams.exam import OWN_SEED, exams_of
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
from autograder.lesson.translation import NOTEBOOKS, TRANSLATED, catalogues, messages_path, prose, translate_notebook
from autograder.lesson.wrapping import tidy
from utils.checks.engine import pair_prints
from utils.checks.engine.answer_key import ANSWERS, StoredKey, store_answers, store_pairs
from utils.checks.engine.cases import CASES
from utils.checks.engine.pair_prints import Pair
from utils.checks.outline import OUTLINE
from utils.common.messages import LOCALE


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
    generated |= locales() | fonts()
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
    }
    for language in TRANSLATED:
        if catalogues(language, lesson):
            files[NOTEBOOKS / language / file_name] = write_notebook(translate_notebook(released, language, lesson))
    return {path: text.encode() for path, text in files.items()} | shipped(lesson, exams=exams)


def shipped(lesson: Lesson, *, exams: bool) -> dict[Path, bytes]:
    """Return the generated files of a lesson that students get, in the workbook's folder or the course's."""
    files = {ANSWERS: answers(lesson, exams=exams).encode(), OUTLINE: outline(lesson).encode()}
    if cases := stored_cases(lesson):
        files[CASES] = cases.encode()
    for language in TRANSLATED:
        if paths := catalogues(language, lesson):
            whole, *more = (polib.pofile(str(path)) for path in paths)
            whole.extend(entry for catalogue in more for entry in catalogue if entry not in whole)
            files[f"{language}.mo"] = compiled(whole, prose(lesson))
    if data := lesson.parts[-1].module("data"):
        files |= data.made()
    return {lesson.parts[-1].made / name: content for name, content in files.items()}


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
    """Return the content of a lesson's file of answers: a line for each value, not indented, which takes less space.

    Of a lesson that a course adds questions to, the workbook's answers are taken as they are.
    """
    known = _before(lesson.parts[0]) if len(lesson.parts) > 1 else {}
    new = answers_of(lesson, exams=exams, known=known.get("questions", {}))
    merged = {key: known.get(key, {}) | value if isinstance(value, dict) else value for key, value in new.items()}
    return json.dumps(merged, indent=0, sort_keys=True, ensure_ascii=False) + "\n"


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
    if lesson.own:
        refuse_unnoticed(lesson, known)
    return stored


def refuse_unnoticed(lesson: Lesson, known: Collection[str]) -> None:
    """Refuse mistakes that their exam does not notice; `known`: the workbook's questions. Raises: BuildError."""
    for name in lesson.tests.keys() - set(known):
        key = reference.key_of(lesson, exam := exams_of(lesson)[name], OWN_SEED)
        for made in key.mistakes():
            if all(key.passes(made, test) for test in exam.tests.values()):
                raise BuildError(f"The exam of {name} does not notice the mistake {made}; add a test, or drop it.")


def _before(part: Part) -> dict[str, Any]:
    """Return the answers that the last build wrote for a lesson's part."""
    path = part.made / ANSWERS
    answers: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return answers


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
    before = _before(lesson.parts[-1])
    checksum = checksum_of_pairs(lesson, questions)
    if before.get("pairs_of") == checksum:
        return {"pairs": before["pairs"], "pairs_of": checksum}
    checks = reference.checks_of(lesson)
    pairs = {name: store_pairs(checks[name], stored, pair_students(lesson, name)) for name, stored in questions.items()}
    return {"pairs": pairs, "pairs_of": checksum}


def checksum_of_pairs(lesson: Lesson, questions: dict[str, Any]) -> str:
    """Return a checksum of the single mistakes' results, of the code of all pairs, and of the checks' code.

    questions: the stored answers without pairs. Changes of the engine show in these, as far as they change results.
    """
    shipped = [part.utils / name for part in lesson.parts for name in (part.check, f"{part.check}.py")]
    places = [*shipped, Path(pair_prints.__file__)]
    files = [path for place in places for path in (sorted(place.rglob("*.py")) or [place]) if path.is_file()]
    parts = [*(path.read_text(encoding="utf-8") for path in files), json.dumps(questions, sort_keys=True)]
    parts += [cell.code for cell in lesson.of_role("given", "solution")]
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
        source = messages_path(language)
        if source.exists():
            found[LOCALE / language / "LC_MESSAGES" / "messages.mo"] = compiled(polib.pofile(str(source)))
    return found


# ---- edits of the instructor's notebook ---------------------------------------------------------------


def _instructors_path(lesson: Lesson) -> Path:
    return lesson.parts[0].source / f"{lesson.name}.ipynb"


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
            f"source/{name}/{name}.ipynb was edited since it was built; bring the edit into source/{name}/lesson.py "
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
            f"Both source/{name}/lesson.py and source/{name}/{name}.ipynb were edited since the last build; "
            "keep a copy of the notebook, run `make build` with --force, and make its edit again."
        )
    refuse_what_text_cannot_hold(notebook, name)
    text = to_text(notebook)
    edited = Lesson.parse(
        name, text, lesson.course
    )  # raises, before anything is written, if the text cannot be built again
    if Lesson.parse(name, to_text(edited.to_notebook()), lesson.course) != edited or lacks_of(edited, notebook):
        raise BuildError(
            f"source/{name}/{name}.ipynb holds a cell that source/{name}/lesson.py cannot hold as it is; undo the last "
            "edits in the notebook, one by one. Nothing was written."
        )
    lesson.parts[0].text.write_text(text, encoding="utf-8")
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
    part = lesson.parts[-1]
    kinds = (("check", checks, part.utils / f"{part.check}.py"), ("exam", exams, part.source / EXAM))
    for name in lesson.tests:
        for kind, known, file in kinds:
            if name not in known:
                raise BuildError(
                    f"The cell “# %% test {name}” of {lesson.name} has no {kind}; write it into {file}, or take the "
                    "cell away."
                )


def tidy_all(lessons: list[Lesson], check: bool) -> list[Path]:
    """Fill the lines of the lessons' prose; return the texts that changed. With `check`, write nothing.

    Raises: BuildError if an instructor's notebook holds an edit, which could not be pulled after the text changed.
    """
    changed = {}
    for lesson in lessons:
        path, text = lesson.parts[0].text, tidy(lesson)
        if text != path.read_text(encoding="utf-8"):
            changed[path] = text
            if not check:
                refuse_to_lose_edits(lesson)
    if not check:
        for path, text in changed.items():
            path.write_text(text, encoding="utf-8")
    return list(changed)


def all_or_named(names: tuple[str, ...]) -> list[Lesson]:
    """Return the workbook's lessons of these names, all if none is named. Raises: LessonError for an unknown one."""
    return [Lesson.load(name, WORKBOOK) for name in names or WORKBOOK.lessons]
