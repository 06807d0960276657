"""The files that students get: `python -m autograder bundle [--course DIR]` writes them to `DIR/bundle/`.

    attention_workbook-VERSION-….whl   the modules, without any solution, exam or instructors' half
    LANGUAGE/LESSON.ipynb, README.md   the released lessons, and what to do with them
    LANGUAGE/glossary.md               the terms of a translation, and their English
    colab/LANGUAGE/LESSON.ipynb        the same lessons, each with the modules in the notebook: one file works anywhere
    environment.yml, requirements.txt  the packages that the lessons need, for conda and pip
    attention-workbook.zip             all these files, to hand out

`write` also copies the wheel into `DIR/release/LESSON/`, so that nbgrader's exchange carries it. The same sources give
the same bytes.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from nbformat import NotebookNode

from autograder.common import parts
from autograder.common.course_file import NAME as COURSE_FILE
from autograder.common.course_file import CourseFile
from autograder.common.errors import BuildError
from autograder.common.nodes import as_node
from autograder.common.paths import ROOT, lesson_names, own_lessons, require_lesson, write_whole
from autograder.common.settings import COURSE_FOLDER
from autograder.course import modules, requirements
from autograder.course.carried import self_contained
from autograder.course.glossary import FILE, GLOSSARY, glossary
from autograder.course.outlines import outline
from autograder.lesson.release import release_notebook
from autograder.lesson.setup import SETUP_NAME, WHEEL, stamped
from autograder.lesson.text import Lesson, write_notebook
from autograder.lesson.translation import LANGUAGES, english_page_for, message, translate_notebook
from utils.checks.outline import LESSONS
from utils.common.messages import N_, own_name

ARCHIVE = "attention-workbook.zip"
READMES = Path(__file__).parent / "students"
COLAB = "https://colab.research.google.com/github/{owner}/{repository}/blob/{rest}/colab/{language}/{lesson}.ipynb"
PREVIOUS, NEXT = N_("Previous lesson:"), N_("Next lesson:")
BADGE = "[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({link})"


def in_order(course: Path) -> list[str]:
    """Return the course's lessons in its order; the workbook's if `course.toml` names none. Raises: LessonError."""
    wanted = CourseFile.of(course).lessons
    for name in wanted:
        require_lesson(name)
    own = [name for name in own_lessons() if name not in LESSONS]
    return list(wanted) or [*(name for name in LESSONS if name in lesson_names()), *own]


def write(course: Path, address: str = "", lessons: Sequence[str] = ()) -> list[Path]:
    """Write a course's bundle and put the wheel beside its released notebooks; return what was written.

    `lessons`: those of the bundle, all of the course by default.

    Raises: BuildError when the wheel cannot be built, LessonError for an address that cannot be used.
    """
    files = contents(address, lessons or in_order(course))
    folder = course / "bundle"
    if folder.exists():
        shutil.rmtree(folder)  # so that no file of an older version stays
    written = {folder / name: content for name, content in files.items()}
    written[folder / ARCHIVE] = archive(files)
    for lesson in lesson_names():
        released = course / "release" / lesson
        if (released / f"{lesson}.ipynb").is_file():
            remove_wheels(released)
            written[released / WHEEL] = files[WHEEL]
    if own_lessons():  # where the first cell of an instructor's notebook looks
        written[course / "source" / WHEEL] = files[WHEEL]
    for path, content in written.items():
        write_whole(path, content)
    return list(written)


def remove_wheels(folder: Path) -> None:
    """Remove the wheels of this and older versions from a folder."""
    for old in folder.glob("attention_workbook-*.whl"):
        old.unlink()


def lay_wheel(released: Path) -> None:
    """Put the wheel into the folder of a released notebook, unless it is there and no older than the modules."""
    wheel = released / WHEEL
    sources = [path for path in (ROOT / "utils").rglob("*") if "__pycache__" not in path.parts]
    sources += filter(Path.is_file, [released.parents[1] / COURSE_FILE])
    sources += [path for name in own_lessons() for path in parts.own_files(name)]
    changed = max(path.stat().st_mtime for path in sources)
    if not wheel.is_file() or wheel.stat().st_mtime < changed:
        remove_wheels(released)
        write_whole(wheel, build_wheel())


def contents(address: str = "", lessons: Sequence[str] = LESSONS) -> dict[str, bytes]:
    """Return the bundle's files by their names in it; `lessons` are in their order."""
    wheel = build_wheel()
    files = {WHEEL: wheel}
    for name in lessons:
        released = release_notebook(Lesson.load(name))
        for language in LANGUAGES:
            notebook = translate_notebook(released, language)
            for cell in notebook.cells:
                if cell.metadata.get("nbgrader", {}).get("grade_id") == SETUP_NAME:
                    cell.source = stamped(cell.source, address)
            _add_badge(notebook, address)
            files[f"colab/{language}/{name}.ipynb"] = write_notebook(self_contained(notebook, wheel)).encode()
            _add_links(notebook, lessons)
            files[f"{language}/{name}.ipynb"] = write_notebook(notebook).encode()
    for language in LANGUAGES:
        path = READMES / f"{language}.md"
        text = (path if path.is_file() else READMES / "en.md").read_text(encoding="utf-8")
        text = text if path.is_file() else english_page_for(language, text)
        files[f"{language}/README.md"] = text.replace("{wheel}", WHEEL).encode()
        if terms := glossary(language):
            files[f"{language}/{FILE}"] = terms.encode()
    welcome = (READMES / "README.md").read_text(encoding="utf-8")
    missing = [one for one in LANGUAGES if f"`{one}/README.md`" not in welcome]
    files["README.md"] = (welcome + "".join(f"- {own_name(one)}: open `{one}/README.md`\n" for one in missing)).encode()
    files["requirements.txt"], files["environment.yml"] = (text.encode() for text in requirements.for_students())
    return dict(sorted(files.items()))


def archive(files: dict[str, bytes]) -> bytes:
    """Return a zip of the files in one folder, the same for the same files."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, data in files.items():
            entry = zipfile.ZipInfo(f"attention-workbook/{name}")  # dated 1980, as zip's time begins
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            zipped.writestr(entry, data)
    return content.getvalue()


def build_wheel() -> bytes:
    """Return the wheel of `utils`, built by setuptools without a network, in a folder that holds nothing else."""
    with tempfile.TemporaryDirectory() as scratch:
        modules.copy_to(Path(scratch, "utils"))
        shutil.copy(ROOT / "pyproject.toml", scratch)
        adapt(Path(scratch, "utils"))
        built = subprocess.run(
            [sys.executable, "-c", "import sys; from setuptools import build_meta; build_meta.build_wheel('dist')"],
            cwd=scratch,
            # The date of the wheel's entries: fixed, so that the same modules make the same wheel; zip begins in 1980.
            env=os.environ | {"SOURCE_DATE_EPOCH": "315532800", "PYTHONPATH": ""},
            capture_output=True,
            text=True,
        )
        wheel = Path(scratch, "dist", WHEEL)
        if not wheel.is_file():
            last = (built.stderr.strip() or "no reason given").splitlines()[-1]
            raise BuildError(
                f"The wheel could not be built ({last}); `pip install 'setuptools>=70.1'`, then try again."
            )
        return wheel.read_bytes()


def adapt(copy: Path) -> None:
    """Write into a copy of `utils` the questions, the points and the order of lessons of this process' course."""
    course = os.environ.get(COURSE_FOLDER)
    told = CourseFile.of(Path(course)) if course else CourseFile()
    for name, wanted in told.by_lesson.items():
        if wanted.points or wanted.without:
            path = copy / "checks" / "outlines" / f"{name}.json"
            path.write_text(outline(Lesson.load(name)), encoding="utf-8")
    if course and (told.lessons or own_lessons()):
        path = copy / "checks" / "outline.py"
        text = path.read_text(encoding="utf-8")
        order = re.sub(r"(?m)^LESSONS = .*$", f"LESSONS = {(*in_order(Path(course)),)!r}", text)
        path.write_text(order, encoding="utf-8")


def _add_badge(notebook: NotebookNode, address: str) -> None:
    """Put "Open in Colab" on top if `address` is a wheel in a GitHub repository, which then holds the whole bundle.

    Colab opens notebooks from GitHub, but not from an ordinary web address.
    """
    raw = re.fullmatch(
        r"https://(?:raw\.githubusercontent\.com/([\w.-]+)/([\w.-]+)|github\.com/([\w.-]+)/([\w.-]+)/raw)/(.+)/[^/]+\.whl",
        address,
    )
    if not raw:
        return
    owner, repository = (raw[1] or raw[3]), (raw[2] or raw[4])
    rest = raw[5].removeprefix("refs/heads/")
    link = COLAB.format(owner=owner, repository=repository, rest=rest, **notebook.metadata["workbook"])
    _add_on_top(notebook, "open-in-colab", BADGE.format(link=link))


def _add_links(notebook: NotebookNode, lessons: Sequence[str]) -> None:
    """Put links on top to the same lesson in other languages, the lessons before and after it, and the glossary.

    Only the bundle's notebooks get links: an edition for Colab is uploaded alone, and nbgrader fetches one lesson.
    """
    lesson, language = notebook.metadata["workbook"]["lesson"], notebook.metadata["workbook"]["language"]
    parts = [f"[{own_name(code)}](../{code}/{lesson}.ipynb)" for code in LANGUAGES if code != language]
    number = lessons.index(lesson)
    for words, other in ((PREVIOUS, lessons[:number][-1:]), (NEXT, lessons[number + 1 :][:1])):
        parts += [f"{message(words, language)} [{name}]({name}.ipynb)" for name in other]
    if glossary(language):
        parts.append(f"[{message(GLOSSARY, language)}]({FILE})")
    _add_on_top(notebook, "other-lessons", " · ".join(parts))


def _add_on_top(notebook: NotebookNode, name: str, text: str) -> None:
    notebook.cells.insert(0, as_node({"cell_type": "markdown", "id": name, "metadata": {}, "source": text}))
