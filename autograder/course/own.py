"""Makes the copy of the students' modules that `modules.py` describes, with the lessons of this process' course."""

import json
import os
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

import polib

from autograder.common import parts
from autograder.common.errors import BuildError
from autograder.common.paths import ROOT, own_lessons, write_whole
from autograder.course import build
from autograder.course.faithful import compiled
from autograder.course.outlines import outline
from autograder.course.small_cases import stored_cases
from autograder.exams import reference
from autograder.exams.exam import OWN_SEED, exams_of
from autograder.lesson.text import Lesson
from autograder.lesson.translation import TRANSLATED, catalogue_path, text_of
from utils.common.errors import WorkbookError

IGNORED = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")
VERSIONS = "own.py"


def make(copy: Path, wanted: str) -> None:
    """Make the copy. Raises: BuildError, a sentence on what is wrong with the lesson `wanted`."""
    made_from = parts.made_from()
    fresh = copy.with_name(f"fresh-{os.getpid()}")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / "utils", fresh, ignore=IGNORED)
    (fresh / VERSIONS).write_text('"""The versions of the course\'s own lessons."""\n\n', encoding="utf-8")
    for name in own_lessons():
        try:
            lesson = Lesson.load(name)
            generated = _generated(lesson)
        except Exception as error:  # of the course's own files
            if name == wanted:
                said = error if isinstance(error, WorkbookError) else f"{type(error).__name__}: {error}"
                raise BuildError(f"{own_lessons()[name]} cannot be used yet. {said}") from error
            continue
        _add(fresh, name, generated)
    _add_translations(fresh)
    shutil.rmtree(copy, ignore_errors=True)
    fresh.rename(copy)
    write_whole(copy.with_name("made_from"), made_from)


def _generated(lesson: Lesson) -> dict[str, str]:
    """Return the generated files of a lesson, by their places below `checks/`."""
    stored = _stored(ROOT / "utils" / "checks" / "answers" / f"{lesson.name}.json")
    known = stored.get("questions", {})
    new = build.answers_of(lesson, exams=True, known=known)
    _refuse_unnoticed(lesson, known)
    merged = {key: stored.get(key, {}) | value for key, value in new.items() if isinstance(value, dict)}
    files = {
        f"answers/{lesson.name}.json": json.dumps(stored | merged, ensure_ascii=False),
        f"outlines/{lesson.name}.json": outline(lesson),
    }
    if (own_lessons()[lesson.name] / "cases.py").is_file() and (cases := stored_cases(lesson)):
        files[f"cases/{lesson.name}.json"] = cases
    return files


def _stored(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def _refuse_unnoticed(lesson: Lesson, known: Collection[str]) -> None:
    """Refuse mistakes that their exam does not notice; `known`: the workbook's questions. Raises: BuildError."""
    for name in lesson.tests.keys() - known:
        exam = exams_of(lesson)[name]
        key = reference.key_of(lesson, exam, OWN_SEED)
        for made in key.mistakes():
            if all(key.passes(made, test) for test in exam.tests.values()):
                raise BuildError(f"The exam of {name} does not notice the mistake {made}; add a test, or drop it.")


def _add(fresh: Path, lesson_name: str, generated: dict[str, str]) -> None:
    """Put a lesson into the copy."""
    for place, content in generated.items():
        write_whole(fresh / "checks" / place, content)
    for own, package in (("check.py", fresh / "checks"), ("cases.py", fresh / "checks" / "cases")):
        part, module = own_lessons()[lesson_name] / own, package / f"{lesson_name}.py"
        if part.is_file():
            module = package / lesson_name / "__init__.py" if (package / lesson_name).is_dir() else module
            before = module.read_text(encoding="utf-8") + "\n\n" if module.is_file() else ""
            module.write_text(before + part.read_text(encoding="utf-8"), encoding="utf-8")
    with (fresh / VERSIONS).open("a", encoding="utf-8") as file:
        file.write(f'{lesson_name} = "{parts.version(lesson_name)}"\n')


def _add_translations(fresh: Path) -> None:
    """Compile the workbook's messages again, with those of the course's lessons that it lacks."""
    for language in TRANSLATED:
        messages = polib.pofile(str(catalogue_path(language, "messages")))
        known = {text_of(entry) for entry in messages}
        for folder in own_lessons().values():
            if (path := folder / f"{language}.po").is_file():
                messages.extend(
                    entry for entry in polib.pofile(str(path)).translated_entries() if text_of(entry) not in known
                )
        (fresh / "locale" / language / "LC_MESSAGES" / "messages.mo").write_bytes(compiled(messages))
