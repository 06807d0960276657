"""Everything generated, from its one source: `make build` writes it, `build --check` compares.

    source/<lesson>.py                 ->  source/<lesson>/<lesson>.ipynb     the instructor's notebook
                                       ->  utils/checks/answers/<lesson>.json the public checks' answers
    source/<lesson>/<lesson>.ipynb     ->  release/<lesson>/<lesson>.ipynb    by nbgrader generate_assignment
    release/… and <language>/<lesson>.po -> notebooks/<language>/<lesson>.ipynb
    notebooks/<language>/messages.po   ->  utils/locale/<language>/LC_MESSAGES/messages.mo

The same sources give the same bytes. An instructor's notebook that was edited by hand since it was
built is never overwritten: `pull` brings its edit into the text.
"""

import json
import logging
import tempfile
from pathlib import Path

import nbformat
import polib
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder import mistakes
from autograder.common.paths import write_whole
from autograder.exams import reference
from autograder.lesson.release import PREPROCESSORS, Translate
from autograder.lesson.text import (
    ROOT,
    SOURCE,
    Lesson,
    built_from,
    content_hash,
    lesson_names,
    read_instructors,
    to_text,
    write_notebook,
)
from autograder.lesson.translation import NOTEBOOKS, TRANSLATED, catalogue_path, translate_notebook
from autograder.lesson.wrapping import tidy
from utils.checks.answer_key import ANSWERS, store_answers
from utils.common.errors import WorkbookError
from utils.common.messages import LOCALE


class BuildError(WorkbookError):
    """Something generated is out of date or was edited; the sentence says which and what to do."""


def build(lessons: list[str], *, check: bool = False, force: bool = False) -> list[Path]:
    """Write what is generated; return the files that changed. With `check`, write nothing.

    Raises: BuildError when an instructor's notebook holds an edit that the text lacks (unless `force`).
    """
    if not check and not force:
        for lesson in lessons:
            refuse_to_lose_edits(lesson)
    generated: dict[Path, bytes] = {}
    for lesson in lessons:
        generated |= of_lesson(lesson)
    generated |= locales()
    changed = [path for path, content in generated.items() if not path.is_file() or path.read_bytes() != content]
    if not check:
        for path in changed:
            write_whole(path, generated[path])  # a check that runs meanwhile reads the old file or the new
    return changed


def of_lesson(lesson: str) -> dict[Path, bytes]:
    """Return the lesson's generated files and their contents."""
    instructor = Lesson.load(lesson).to_instructors()
    released = generate(instructor, lesson)
    files = {
        SOURCE / lesson / f"{lesson}.ipynb": write_notebook(instructor),
        ROOT / "release" / lesson / f"{lesson}.ipynb": write_notebook(released),
        NOTEBOOKS / "en" / f"{lesson}.ipynb": write_notebook(released),
        ANSWERS / f"{lesson}.json": answers(lesson),
    }
    for language in TRANSLATED:
        if catalogue_path(language, lesson).exists():
            translated = translate_notebook(released, language)
            files[NOTEBOOKS / language / f"{lesson}.ipynb"] = write_notebook(translated)
    return {path: text.encode() for path, text in files.items()}


def generate(instructor: nbformat.NotebookNode, lesson: str) -> nbformat.NotebookNode:
    """Return the students' notebook, made by nbgrader's generate_assignment in a course of its own."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source", lesson, f"{lesson}.ipynb")
        source.parent.mkdir(parents=True)
        source.write_text(write_notebook(instructor), encoding="utf-8")
        config = Config()
        config.CourseDirectory.root = folder
        config.CourseDirectory.assignment_id = lesson
        config.GenerateAssignment.no_database = True
        config.SaveCells.enabled = False
        config.GenerateAssignment.preprocessors = [step for step in PREPROCESSORS if step is not Translate]
        converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
        converter.log.setLevel(logging.ERROR)
        converter.start()
        released = nbformat.read(Path(folder, "release", lesson, f"{lesson}.ipynb"), as_version=4)
    released.metadata["workbook"].pop("built", None)
    return released


def answers(lesson: str) -> str:
    """Return the public checks' answers: the reference's results, and the mistakes' fingerprints."""
    questions = {}
    text = Lesson.load(lesson)
    for name, question in reference.checks_of(text).items():
        if name not in text.tests:
            raise BuildError(f"The check {name} has no cell “# %% test {name} POINTS” in source/{lesson}.py.")
        mutants = {}
        for mistake in reference.mistakes_of(text, name):
            try:
                mutants[mistake] = reference.mutant_students(text, name, mistake)
            except Exception:  # a mistake that breaks its own cell is seen when the cell is run
                continue
        questions[name] = store_answers(question, reference.students_of(text, name), mutants)
    says = {mistake.id: mistake.says for mistake in mistakes.load(lesson).values()}
    return json.dumps({"questions": questions, "says": says}, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def locales() -> dict[Path, bytes]:
    """Return the compiled message catalogues."""
    compiled = {}
    for language in TRANSLATED:
        source = catalogue_path(language, "messages")
        if source.exists():
            compiled[LOCALE / language / "LC_MESSAGES" / "messages.mo"] = polib.pofile(str(source)).to_binary()
    return compiled


def _edited(lesson: str) -> nbformat.NotebookNode | None:
    """Return the instructor's notebook when it holds an edit made since it was built, else None."""
    path = SOURCE / lesson / f"{lesson}.ipynb"
    if not path.is_file():
        return None
    notebook = read_instructors(path)
    return notebook if Lesson.load(lesson).lacks_edit_of(notebook) else None


def refuse_to_lose_edits(lesson: str) -> None:
    if _edited(lesson) is not None:
        raise BuildError(
            f"source/{lesson}/{lesson}.ipynb was edited since it was built; bring the edit into source/{lesson}.py "
            f"with `python -m autograder build {lesson} --pull`, or throw it away with `--force`."
        )


def pull(lesson: str) -> bool:
    """Bring an edit of the instructor's notebook into the lesson's text; return whether there was one.

    Raises: BuildError when the text was changed as well since the notebook was built.
    """
    notebook = _edited(lesson)
    if notebook is None:
        return False
    path = SOURCE / f"{lesson}.py"
    if built_from(notebook) != content_hash(Lesson.load(lesson).to_notebook()):
        raise BuildError(
            f"Both source/{lesson}.py and source/{lesson}/{lesson}.ipynb were edited since the last build; "
            "keep a copy of the notebook, run `make build` with --force, and make its edit again."
        )
    text = to_text(notebook)
    Lesson.parse(lesson, text)  # refuses what could not be built again, before anything is written
    path.write_text(text, encoding="utf-8")
    return True


def tidy_all(lessons: list[str], check: bool) -> list[Path]:
    """Fill the lines of the lessons' prose; return the texts that changed. With `check`, write nothing.

    Raises: BuildError when an instructor's notebook holds an edit, which could no longer be pulled.
    """
    changed = {}
    for lesson in lessons:
        path, text = SOURCE / f"{lesson}.py", tidy(Lesson.load(lesson))
        if text != path.read_text(encoding="utf-8"):
            changed[path] = text
            if not check:
                refuse_to_lose_edits(lesson)
    if not check:
        for path, text in changed.items():
            path.write_text(text, encoding="utf-8")
    return list(changed)


def all_or_named(lessons: tuple[str, ...]) -> list[str]:
    """Return the lessons to work on; all of them when none is named. Raises: LessonError for an unknown one."""
    for lesson in lessons:
        Lesson.load(lesson)
    return list(lessons) or lesson_names()
