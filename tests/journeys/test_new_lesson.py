"""A tiny lesson made from nothing is a whole lesson: two folders beside the others, and no other file touched."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import polib
import pytest

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from tests.helpers.languages import LANGUAGES

pytestmark = pytest.mark.whole

FILES = {
    "source/tiny/lesson.py": """\
# %% [markdown]
# # Tiny: a lesson of one question
#
# ## 1. Twice (about 5 minutes)
#
# **Write `double(x)`**, which returns two times `x`.

# %% given imports
from utils.tiny import check, drawings
from utils.tiny.numbers import to_double

# %% show draw_twice
drawings.twice()

# %% solution double
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% test double 2
check.double(double)
### BEGIN HIDDEN TESTS
exam.double(double)
### END HIDDEN TESTS

# %% show doubled
print(double(to_double()))

# %% essay why 1 [markdown]
# **Why?** Why is twice a number the number added to itself?
#
# ### BEGIN SOLUTION
# *Model answer.* Two times anything is one of it and another one.
#
# *Points.*
#
# - `sum` 1: a sum of two equal numbers. *Words:* sum, add.
# ### END SOLUTION
""",
    "utils/tiny/__init__.py": '"""Lesson tiny: numbers.\n\n    numbers.py   a number to be doubled\n"""\n',
    "utils/tiny/numbers.py": '"""Numbers."""\n\n\ndef to_double() -> int:\n    return 21\n',
    "utils/tiny/drawings.py": '''\
"""Diagrams of the lesson `tiny`."""

from utils.common.messages import N_
from utils.drawings.canvas import Canvas
from utils.drawings.words import blank

__all__ = ["twice"]


def twice(language: str | None = None) -> Canvas:
    """A number beside itself."""
    say, canvas = blank(language, 90, N_("Twice"), N_("Two equal boxes side by side."))
    for x in (200, 360):
        canvas.box(x, 25, 120, 40, say(N_("the number")))
    return canvas
''',
    "utils/tiny/cases.py": '''\
"""The small cases of the lesson `tiny`."""

from typing import Any

from utils.checks.engine.cases import CaseBook
from utils.checks.engine.small import Small
from utils.common.messages import N_

BOOK = CaseBook({"N": N_("number {number}")})


@BOOK.case("double", "N", "2")
def two_numbers(small: Small, double: Any) -> None:
    small.show(N_("twice"), small.call(double, small.numbers("x", "N", 4)), "N")
''',
    "utils/tiny/check.py": '''\
"""The public check of the lesson `tiny`."""

from typing import Any

from utils.checks.check import Check
from utils.checks.engine.probe import Probe

double = Check("double", title="Twice a number", sizes={"N": 3}, hints=("Add it to itself.",))


@double.test("two times each number")
def twice(probe: Probe, double: Any) -> Any:
    return double(probe.normal(probe["N"]))
''',
    "source/tiny/exam.py": '''\
"""The exam of the lesson `tiny`."""

from autograder.exams.exam import Exam
from utils.tiny import check

double = Exam.of(check.double)
''',
    "source/tiny/mistakes.toml": """\
[[mistake]]
id = "squared"
cell = "double"
old = "2 * x"
new = "x * x"
says = "You multiply the number by itself instead of by two."
""",
    "source/tiny/variants/double__sum.py": "def double(x):\n    return x + x\n",
}


def workbook_in(folder: Path) -> Path:
    """Copy the workbook into a folder."""
    copy = folder / "workbook"
    for part in ("autograder", "benchmarks", "utils", "source", "notebooks"):
        shutil.copytree(ROOT / part, copy / part)
    for part in ("nbgrader_config.py", "pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / part, copy / part)
    return copy


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """A copy of the workbook with one lesson more."""
    copy = workbook_in(tmp_path_factory.mktemp("copy"))
    before = sources(copy)
    for name, text in FILES.items():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text(text, encoding="utf-8")
    run(copy, "-m", "autograder", "translate")
    for language in LANGUAGES[1:]:
        path = copy / "source" / "tiny" / f"{language}.po"
        catalogue = polib.pofile(str(path))
        for entry in catalogue.untranslated_entries():
            entry.msgstr = entry.msgid
        catalogue.save()
    run(copy, "-m", "autograder", "build", "tiny")
    assert sources(copy) == before
    return copy


def sources(copy: Path, new: str = "tiny") -> dict[str, bytes]:
    """What people write, outside of the new lesson's two folders."""
    files = [path for path in copy.rglob("*.*") if path.suffix in (".py", ".toml", ".po", ".js", ".md")]
    return {str(path): path.read_bytes() for path in files if new not in path.parts}


def run(copy: Path, *command: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(copy), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        [sys.executable, *command], cwd=copy, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_it_is_released_in_every_language_with_its_answers_and_outline(copy):
    notebooks = [json.loads((copy / "notebooks" / language / "tiny.ipynb").read_text()) for language in LANGUAGES]
    codes = [[cell["source"] for cell in one["cells"] if cell["cell_type"] == "code"][1:] for one in notebooks]
    assert codes[0] == codes[1] == codes[2] and "BEGIN SOLUTION" not in str(codes)
    for name, keys in (("answers", {"double"}), ("outline", {"double"}), ("cases", {"double"})):
        content = (copy / "utils" / "tiny" / "made" / f"{name}.json").read_text(encoding="utf-8")
        assert all(f'"{key}"' in content for key in keys)


def test_its_mistake_is_caught_and_named_and_its_variant_has_full_marks(copy):
    table = json.loads(run(copy, "-m", "benchmarks.proof", "verdicts", "tiny", "--quick", "--json"))
    (row,) = table["cells"].values()
    assert (row["mistakes"], row["caught"], row["named"]) == (1, 1, 1)
    assert (row["variants"], row["rejected"]) == (1, 0)


def test_a_notebook_is_graded_and_stands_among_the_lessons(copy):
    run(copy, "-m", "autograder", "compose", "tiny", "-o", "solved.ipynb")
    graded = json.loads(run(copy, "-m", "autograder", "try", "tiny", "solved.ipynb", "--json"))
    assert {question["id"]: question["points"] for question in graded["questions"]} == {
        "test_double": 2.0,
        "why": None,
    }
    shown = run(copy, "-c", "from utils.common.lessons import names; print(names()[-1], len(names()))")
    assert shown.split() == ["tiny", str(len(list(WORKBOOK.lessons)) + 1)]


def test_students_get_it_with_its_modules_in_every_language(copy):
    run(copy, "-m", "autograder", "bundle", "--course", str(copy))
    (bundle,) = (copy / "bundle").glob("*.zip")
    with zipfile.ZipFile(bundle) as zipped:
        names = {name.partition("/")[2] for name in zipped.namelist()}
    for language in LANGUAGES:
        assert {f"{language}/tiny.ipynb", f"colab/{language}/tiny.ipynb"} <= names
    (wheel,) = (copy / "bundle").glob("*.whl")
    with zipfile.ZipFile(wheel) as zipped:
        assert {"utils/tiny/numbers.py", "utils/tiny/made/cases.json"} <= set(zipped.namelist())


def test_its_modules_stand_in_the_layers_and_its_drawing_among_the_slides(copy):
    linter = pytest.importorskip("importlinter.cli", reason="the layers are checked with Python 3.11 or later")
    assert linter
    run(copy, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")
    run(copy, "-m", "autograder", "slides")
    for language in LANGUAGES:
        assert "Two equal boxes" in (copy / "slides" / language / "tiny-twice.svg").read_text(encoding="utf-8")


def test_a_course_s_lesson_becomes_the_workbook_s_by_a_copy_of_its_two_folders(tmp_path):
    copy = workbook_in(tmp_path)
    before = sources(copy, "clusters")
    for half in ("source", "utils"):
        shutil.copytree(ROOT / "docs" / "course" / half / "clusters", copy / half / "clusters")
    run(copy, "-m", "autograder", "build", "clusters")
    assert sources(copy, "clusters") == before
    table = json.loads(run(copy, "-m", "benchmarks.proof", "verdicts", "clusters", "--quick", "--json"))
    rows = table["cells"].values()
    assert sum(row["mistakes"] for row in rows) == sum(row["caught"] for row in rows) == 4
