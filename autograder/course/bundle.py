"""The files that students get: `python -m autograder bundle [--course DIR]` writes them to `DIR/bundle/`.

    attention_workbook-VERSION-….whl   the modules, without solutions, exams, instructors' half
    LANGUAGE/LESSON.ipynb, README.md   the released lessons, and what to do with them
    LANGUAGE/glossary.md               the terms of a translation, and their English
    colab/LANGUAGE/LESSON.ipynb        the same lessons, each with the modules in the notebook: one file works anywhere
    environment.yml, requirements.txt  the packages that the lessons need, for conda and pip
    AGENTS.md and its other names      what the course asks of students' coding assistants
    attention-workbook.zip             all these files, to hand out

`write` also copies the wheel into `DIR/release/LESSON/`, so that nbgrader's exchange carries it. A notebook that is
handed out names the version of its modules, which has a hash of them, and so does the wheel's name; older notebooks
keep their older wheels. The same sources give the same bytes.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nbformat import NotebookNode

from autograder.common.course import PRIVATE, Course
from autograder.common.course_file import ANY, EXPLAIN, NO_ASSISTANTS
from autograder.common.errors import BuildError
from autograder.common.nodes import as_node, read_notebook
from autograder.common.paths import ROOT, write_whole, zipped
from autograder.course import requirements
from autograder.course.carried import self_contained
from autograder.course.glossary import FILE, GLOSSARY, glossary
from autograder.course.ordering import lines
from autograder.course.outlines import outline
from autograder.lesson.release import release_notebook
from autograder.lesson.setup import ON_TOP, TRACKS, stamp, version_needed, wheel_name
from autograder.lesson.text import Lesson, write_notebook
from autograder.lesson.translation import LANGUAGES, english_page_for, message, translate_notebook
from utils.checks.order import LINES
from utils.checks.outline import OUTLINE
from utils.common.lessons import MADE
from utils.common.messages import N_, own_name
from utils.version import __version__

IGNORED = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")
ARCHIVE = "attention-workbook.zip"
READMES = Path(__file__).parent / "students"
COLAB = "https://colab.research.google.com/github/{repository}/blob/{rest}/colab/{language}/{lesson}.ipynb"
# The names under which coding assistants look for a project's instructions; the text is the same.
FOR_ASSISTANTS = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md")
# What the students' README says of assistants, by the course's setting.
ASSISTANTS = {
    EXPLAIN: N_(
        "An assistant in your editor finds `AGENTS.md` here: the course asks it to explain and to ask, and to leave "
        "the gaps to you, because you learn what you write."
    ),
    NO_ASSISTANTS: N_(
        "This course asks you to work without an assistant; `AGENTS.md` tells the one in your editor. The checks say "
        "what is wrong, and their hints help further."
    ),
    ANY: N_("You may use an assistant. You learn what you write yourself, so let the check speak first."),
}
PREVIOUS, NEXT = N_("Previous lesson:"), N_("Next lesson:")
# By version, which has a hash of the modules: `workbook open` needs a wheel for the release and for the bundle.
_wheels: dict[str, bytes] = {}
BADGE = "[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({link})"


def write(course: Course, address: str = "", lessons: Sequence[str] = ()) -> list[Path]:
    """Write a course's bundle and put the wheel beside its released notebooks; return what was written.

    `lessons`: those of the bundle, all of the course by default.

    Raises: BuildError when the wheel cannot be built, LessonError for an address that cannot be used.
    """
    files = contents(course, address, lessons or course.in_order())
    wheel = wheel_name(course.version)
    folder = course / "bundle"
    if folder.exists():
        shutil.rmtree(folder)  # so that no file of an older version stays
    written = {folder / name: content for name, content in files.items()}
    written[folder / ARCHIVE] = archive(files)
    # An older release keeps the wheel that its notebook needs.
    beside = [course / "release" / lesson for lesson in course.lessons if needs(course, lesson) == course.version]
    if course.adds:  # where the first cell of an instructor's notebook looks
        beside.append(course / "source")
    for place in beside:
        remove_wheels(place)
        written[place / wheel] = files[wheel]
    for path, content in written.items():
        write_whole(path, content)
    return list(written)


def needs(course: Course, lesson: str) -> str:
    """Return the version of the modules that a lesson's released notebook needs, "" if it is not released."""
    released = course / "release" / lesson / f"{lesson}.ipynb"
    return version_needed(read_notebook(released)) if released.is_file() else ""


def remove_wheels(folder: Path) -> None:
    """Remove the wheels of this and older versions from a folder."""
    for old in folder.glob("attention_workbook-*.whl"):
        old.unlink()


def lay_wheel(course: Course, lesson: str) -> bool:
    """Put the wheel that a released notebook needs beside the notebook; return whether it is there.

    It cannot be made if the modules have changed since the notebook was generated.
    """
    version, released = needs(course, lesson), course / "release" / lesson
    if (released / wheel_name(version)).is_file():
        return True
    if version != course.version:
        return False
    remove_wheels(released)
    write_whole(released / wheel_name(version), build_wheel(course))
    return True


def contents(course: Course, address: str = "", lessons: Sequence[str] = ()) -> dict[str, bytes]:
    """Return the bundle's files by their names in it; `lessons` are in their order, all of the course by default."""
    lessons, version = lessons or course.in_order(), course.version
    wheel = build_wheel(course)
    files = {wheel_name(version): wheel}
    for name in lessons:
        lesson = Lesson.load(name, course)
        released = release_notebook(lesson)
        for language in LANGUAGES:
            notebook = translate_notebook(released, language, lesson)
            stamp(notebook, version, address)
            if questions := _of_tracks(lesson, language):
                _add_on_top(notebook, "tracks", f"*{message(TRACKS, language)} {questions}*")
            _add_on_top(notebook, "assistants", f"*{message(ON_TOP[course.settings.assistants], language)}*")
            _add_badge(notebook, address)
            files[f"colab/{language}/{name}.ipynb"] = write_notebook(self_contained(notebook, wheel, course)).encode()
            _add_links(notebook, lessons)
            files[f"{language}/{name}.ipynb"] = write_notebook(notebook).encode()
    for language in LANGUAGES:
        path = READMES / f"{language}.md"
        text = (path if path.is_file() else READMES / "en.md").read_text(encoding="utf-8")
        text = text if path.is_file() else english_page_for(language, text)
        asked = message(ASSISTANTS[course.settings.assistants], language)
        text = text.replace("{lessons}", ", ".join(f"`{name}`" for name in lessons))
        text = text.replace("{wheel}", wheel_name(version)).replace("{assistants}", asked)
        files[f"{language}/README.md"] = text.encode()
        if terms := glossary(language):
            files[f"{language}/{FILE}"] = terms.encode()
    welcome = (READMES / "README.md").read_text(encoding="utf-8")
    missing = [language for language in LANGUAGES if f"`{language}/README.md`" not in welcome]
    welcome += "".join(f"- {own_name(language)}: open `{language}/README.md`\n" for language in missing)
    files["README.md"] = welcome.encode()
    files |= for_assistants(course)
    files["requirements.txt"], files["environment.yml"] = (text.encode() for text in requirements.for_students())
    return dict(sorted(files.items()))


def _of_tracks(lesson: Lesson, language: str) -> str:
    """Return the questions that count only for a part of the class, each with that part's name."""
    only = lesson.course.settings.of_lesson(lesson.name).only
    if not only:
        return ""
    questions = json.loads(outline(lesson))["questions"]
    names = {entry["name"]: entry["titles"].get(language) or f"`{entry['name']}`" for entry in questions}
    return "; ".join(f"{names[question]} ({track})" for question, track in only.items())


def for_assistants(course: Course) -> dict[str, bytes]:
    """Return the files that tell coding assistants what the course asks of them; none if it asks nothing."""
    rules = READMES / "assistants" / f"{course.settings.assistants}.md"
    return dict.fromkeys(FOR_ASSISTANTS, rules.read_bytes()) if rules.is_file() else {}


def archive(files: dict[str, bytes]) -> bytes:
    """Return a zip of the files in one folder."""
    return zipped({f"attention-workbook/{name}": content for name, content in files.items()})


def build_wheel(course: Course) -> bytes:
    """Return the wheel of `utils` and of the course's modules; the same version is built once. Raises: BuildError."""
    refuse_private(course)
    if (version := course.version) not in _wheels:
        _wheels[version] = _built(course)
    return _wheels[version]


def _built(course: Course) -> bytes:
    """Return the wheel, built by setuptools without a network in a folder that holds nothing else."""
    with tempfile.TemporaryDirectory() as scratch:
        for folder in [ROOT / "utils", *([course.utils] if course.adds else [])]:
            shutil.copytree(folder, Path(scratch, "utils"), ignore=IGNORED, dirs_exist_ok=True)
        shutil.copy(ROOT / "pyproject.toml", scratch)
        adapt(Path(scratch, "utils"), course)
        built = subprocess.run(
            [sys.executable, "-c", "import sys; from setuptools import build_meta; build_meta.build_wheel('dist')"],
            cwd=scratch,
            # The date of the wheel's entries: fixed, so that the same modules make the same wheel; zip begins in 1980.
            env=os.environ | {"SOURCE_DATE_EPOCH": "315532800", "PYTHONPATH": ""},
            capture_output=True,
            text=True,
        )
        wheel = Path(scratch, "dist", wheel_name(course.version))
        if not wheel.is_file():
            last = (built.stderr.strip() or "no reason given").splitlines()[-1]
            raise BuildError(
                f"The wheel could not be built ({last}); `pip install 'setuptools>=70.1'`, then try again."
            )
        return wheel.read_bytes()


def refuse_private(course: Course) -> None:
    """Raises: BuildError for a file in the folders that students get which belongs to the instructors alone."""
    for name, parts in course.lessons.items():
        for path in (path for part in parts for pattern in PRIVATE for path in part.utils.rglob(pattern)):
            raise BuildError(f"{path} would be handed out to students; move it into source/{name}/.")


def adapt(copy: Path, course: Course) -> None:
    """Write into a copy of `utils` its version, and a course's questions, points, lessons and lines to order."""
    text = (ROOT / "utils" / "version.py").read_text(encoding="utf-8")
    (copy / "version.py").write_text(text.replace(f'"{__version__}"', f'"{course.version}"'), encoding="utf-8")
    for name, wanted in course.settings.by_lesson.items():
        if wanted.points or wanted.without:
            (copy / name / MADE / OUTLINE).write_text(outline(Lesson.load(name, course)), encoding="utf-8")
    for name in course.lessons if course.settings.order else ():
        (copy / name / MADE / LINES).write_text(lines(Lesson.load(name, course), course.settings.order), "utf-8")
    if course.settings.lessons or course.adds:
        (copy / "common" / "order.json").write_text(json.dumps(course.in_order()), encoding="utf-8")


def _add_badge(notebook: NotebookNode, address: str) -> None:
    """Put "Open in Colab" on top if `address` is a wheel in a GitHub repository, which then holds the whole bundle.

    Colab opens notebooks from GitHub, but not from an ordinary web address.
    """
    raw = re.fullmatch(
        r"https://(?:raw\.githubusercontent\.com/([\w.-]+/[\w.-]+)|github\.com/([\w.-]+/[\w.-]+)/raw)/"
        r"(?:refs/heads/)?(.+)/[^/]+\.whl",
        address,
    )
    if raw:
        link = COLAB.format(repository=raw[1] or raw[2], rest=raw[3], **notebook.metadata["workbook"])
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
