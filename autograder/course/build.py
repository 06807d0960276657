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

import polib
from nbformat import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder import mistakes
from autograder.common.errors import BuildError
from autograder.common.nodes import read_notebook
from autograder.common.paths import ROOT, SOURCE, lesson_names, write_whole
from autograder.course.lookalikes import refuse_unsaid
from autograder.exams import reference
from autograder.lesson.release import PREPROCESSORS, Translate
from autograder.lesson.text import Lesson, built_from, content_hash, read_instructors, to_text, write_notebook
from autograder.lesson.translation import NOTEBOOKS, TRANSLATED, catalogue_path, translate_notebook
from autograder.lesson.wrapping import tidy
from utils.checks.answer_key import ANSWERS, StoredKey, store_answers
from utils.common.messages import LOCALE


def build(lessons: list[Lesson], *, check: bool = False, force: bool = False) -> list[Path]:
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


def of_lesson(lesson: Lesson) -> dict[Path, bytes]:
    """Return the lesson's generated files and their contents."""
    file_name = f"{lesson.name}.ipynb"
    instructors = lesson.to_instructors()
    released = generate(instructors, lesson.name)
    files = {
        _instructors_path(lesson): write_notebook(instructors),
        ROOT / "release" / lesson.name / file_name: write_notebook(released),
        NOTEBOOKS / "en" / file_name: write_notebook(released),
        ANSWERS / f"{lesson.name}.json": answers(lesson),
    }
    for language in TRANSLATED:
        if catalogue_path(language, lesson.name).exists():
            files[NOTEBOOKS / language / file_name] = write_notebook(translate_notebook(released, language))
    return {path: text.encode() for path, text in files.items()}


def generate(instructors: NotebookNode, lesson_name: str) -> NotebookNode:
    """Return the students' notebook, made by nbgrader's generate_assignment in a course of its own."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source", lesson_name, f"{lesson_name}.ipynb")
        source.parent.mkdir(parents=True)
        source.write_text(write_notebook(instructors), encoding="utf-8")
        config = Config()
        config.CourseDirectory.root = folder
        config.CourseDirectory.assignment_id = lesson_name
        config.GenerateAssignment.no_database = True
        config.SaveCells.enabled = False
        config.GenerateAssignment.preprocessors = [step for step in PREPROCESSORS if step is not Translate]
        converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
        converter.log.setLevel(logging.ERROR)
        converter.start()
        released = read_notebook(Path(folder, "release", lesson_name, f"{lesson_name}.ipynb"))
    released.metadata["workbook"].pop("built", None)
    return released


def answers(lesson: Lesson) -> str:
    """Return the public checks' answers: the reference's results, and the mistakes' fingerprints."""
    questions = {}
    for name, question in reference.checks_of(lesson).items():
        if name not in lesson.tests:
            raise BuildError(f"The check {name} has no cell “# %% test {name} POINTS” in source/{lesson.name}.py.")
        mutants = {}
        for mistake in reference.mistakes_of(lesson, name):
            try:
                mutants[mistake] = reference.mutant_students(lesson, name, mistake)
            except Exception:  # a mistake that breaks its own cell is seen when the cell is run
                continue
        questions[name] = store_answers(question, reference.students_of(lesson, name), mutants)
    stored = {
        "questions": questions,
        "says": {mistake.id: mistake.says for mistake in mistakes.load(lesson).values()},
        "classes": {found.id: {"of": sorted(found.of), "says": found.says} for found in mistakes.classes_of(lesson)},
    }
    refuse_unsaid(lesson, {name: StoredKey(stored, name) for name in questions})
    return json.dumps(stored, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def locales() -> dict[Path, bytes]:
    """Return the compiled message catalogues."""
    compiled = {}
    for language in TRANSLATED:
        source = catalogue_path(language, "messages")
        if source.exists():
            compiled[LOCALE / language / "LC_MESSAGES" / "messages.mo"] = polib.pofile(str(source)).to_binary()
    return compiled


# ---- edits of the instructor's notebook ---------------------------------------------------------------


def _instructors_path(lesson: Lesson) -> Path:
    return SOURCE / lesson.name / f"{lesson.name}.ipynb"


def _edited(lesson: Lesson) -> NotebookNode | None:
    """Return the instructor's notebook when it holds an edit made since it was built, else None."""
    path = _instructors_path(lesson)
    if not path.is_file():
        return None
    notebook = read_instructors(path)
    return notebook if lesson.lacks_edit_of(notebook) else None


def refuse_to_lose_edits(lesson: Lesson) -> None:
    """Raises: BuildError when the instructor's notebook holds an edit that the text lacks."""
    if _edited(lesson) is not None:
        name = lesson.name
        raise BuildError(
            f"source/{name}/{name}.ipynb was edited since it was built; bring the edit into source/{name}.py "
            f"with `python -m autograder build {name} --pull`, or throw it away with `--force`."
        )


def pull(lesson: Lesson) -> Lesson | None:
    """Bring an edit of the instructor's notebook into the lesson's text.

    Returns: the lesson with the edit, None where there was none. Raises: BuildError when the text was changed as well
    since the notebook was built.
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
    text = to_text(notebook)
    edited = Lesson.parse(name, text)  # refuses what could not be built again, before anything is written
    (SOURCE / f"{name}.py").write_text(text, encoding="utf-8")
    return edited


def tidy_all(lessons: list[Lesson], check: bool) -> list[Path]:
    """Fill the lines of the lessons' prose; return the texts that changed. With `check`, write nothing.

    Raises: BuildError when an instructor's notebook holds an edit, which could no longer be pulled.
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
