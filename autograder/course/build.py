"""Every generated file is made from one source: `make build` writes the files, `build --check` compares them.

    source/LESSON/lesson.py            ->  source/LESSON/LESSON.ipynb         the instructor's notebook
                                       ->  utils/LESSON/made/answers.json     the public checks' answers
                                       ->  utils/LESSON/made/cases.json       the small cases that checks show
      with its translations            ->  utils/LESSON/made/outline.json     its questions, points and headings
    source/LESSON/LESSON.ipynb         ->  release/LESSON/LESSON.ipynb        by the steps of generate_assignment
    release/… and source/LESSON/LANGUAGE.po -> notebooks/LANGUAGE/LESSON.ipynb
    source/LESSON/LANGUAGE.po          ->  utils/LESSON/made/LANGUAGE.mo      the messages of this lesson alone
    source/LESSON/data/                ->  utils/LESSON/made/…                data that the lesson makes for students
    notebooks/LANGUAGE/messages.po     ->  utils/locale/LANGUAGE/LC_MESSAGES/messages.mo
      and a large font's letters       ->  utils/fonts/<language>.otf         if figures need any
    pyproject.toml                     ->  environment.yml                    the same packages for conda

The same sources give the same bytes. An instructor's notebook that was edited after it was built is never overwritten:
`edits.py` brings the edit into the text.
"""

from pathlib import Path

import polib

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT, write_whole
from autograder.course import made
from autograder.course.edits import instructors_path, refuse_to_lose_edits
from autograder.course.faithful import compiled
from autograder.course.fonts import fonts
from autograder.course.requirements import for_workbook
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson, write_notebook
from autograder.lesson.translation import NOTEBOOKS, TRANSLATED, catalogues, messages_path, translate_notebook
from autograder.lesson.wrapping import tidy
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
        generated |= notebooks_of(lesson) | made.of_lesson(lesson, check=check)
    generated |= locales() | fonts() | {ROOT / "environment.yml": for_workbook().encode()}
    changed = [path for path, content in generated.items() if not path.is_file() or path.read_bytes() != content]
    if not check:
        for path in changed:
            write_whole(path, generated[path])  # a program that reads meanwhile gets the old file or the new, whole
    return changed


def notebooks_of(lesson: Lesson) -> dict[Path, bytes]:
    """Return the notebooks of a lesson of the workbook: the instructors', and the students' in every language."""
    file_name, released = f"{lesson.name}.ipynb", release_notebook(lesson)
    notebooks = {
        instructors_path(lesson): lesson.to_instructors(),
        ROOT / "release" / lesson.name / file_name: released,
        NOTEBOOKS / "en" / file_name: released,
    }
    for language in TRANSLATED:
        if catalogues(language, lesson):
            notebooks[NOTEBOOKS / language / file_name] = translate_notebook(released, language, lesson)
    return {path: write_notebook(notebook).encode() for path, notebook in notebooks.items()}


def locales() -> dict[Path, bytes]:
    """Return the compiled message catalogues."""
    sources = {LOCALE / language / "LC_MESSAGES" / "messages.mo": messages_path(language) for language in TRANSLATED}
    return {path: compiled(polib.pofile(str(source))) for path, source in sources.items() if source.exists()}


def tidy_all(lessons: list[Lesson], check: bool) -> list[Path]:
    """Fill the lines of the lessons' prose; return the texts that changed. With `check`, write nothing.

    Raises: BuildError if an instructor's notebook holds an edit, which could not be pulled after the text changed.
    """
    texts = {lesson.parts[0].text: (lesson, tidy(lesson)) for lesson in lessons}
    changed = {path: new for path, new in texts.items() if new[1] != path.read_text(encoding="utf-8")}
    if not check:
        for lesson, _ in changed.values():
            refuse_to_lose_edits(lesson)
        for path, (_, text) in changed.items():
            path.write_text(text, encoding="utf-8")
    return list(changed)


def all_or_named(names: tuple[str, ...]) -> list[Lesson]:
    """Return the workbook's lessons of these names, all if none is named. Raises: LessonError for an unknown one."""
    return [Lesson.load(name, WORKBOOK) for name in names or WORKBOOK.lessons]
