"""A tiny lesson made from nothing, with the files that "Add a lesson" in docs/maintainer.md lists, is a whole lesson.

It is made in a copy of the workbook: its files, a word in the order of lessons and two in the layers, its translations.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import polib
import pytest

from autograder.common.paths import ROOT, lesson_names
from tests.helpers.languages import LANGUAGES

FILES = {
    "source/tiny.py": """\
# %% [markdown]
# # Tiny: a lesson of one question
#
# ## 1. Twice (about 5 minutes)
#
# **Write `double(x)`**, which returns two times `x`.

# %% given imports
from utils.checks import tiny as check
from utils.doubling.numbers import to_double
from utils.drawings import tiny as drawings

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
    "utils/doubling/__init__.py": '"""Lesson tiny: numbers.\n\n    numbers.py   a number to be doubled\n"""\n',
    "utils/doubling/numbers.py": '"""Numbers."""\n\n\ndef to_double() -> int:\n    return 21\n',
    "utils/drawings/tiny.py": '''\
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
    "utils/checks/cases/tiny.py": '''\
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
    "utils/checks/tiny.py": '''\
"""The public check of the lesson `tiny`."""

from typing import Any

from utils.checks.check import Check
from utils.checks.engine.probe import Probe

double = Check("double", title="Twice a number", sizes={"N": 3}, hints=("Add it to itself.",))


@double.test("two times each number")
def twice(probe: Probe, double: Any) -> Any:
    return double(probe.normal(probe["N"]))
''',
    "autograder/exams/tiny.py": '''\
"""The exam of the lesson `tiny`."""

from autograder.exams.exam import Exam
from utils.checks import tiny as check

double = Exam.of(check.double)
''',
    "autograder/mistakes/tiny.toml": """\
[[mistake]]
id = "squared"
cell = "double"
old = "2 * x"
new = "x * x"
says = "You multiply the number by itself instead of by two."
""",
    "tests/variants/tiny/double__sum.py": "def double(x):\n    return x + x\n",
}
# Words to write into files that are there: the file, a pattern that occurs in it once, and what stands there instead.
WORDS = (
    ("utils/checks/outline.py", r"(?m)^(LESSONS = \(.*)\)$", r'\1, "tiny")'),
    ("pyproject.toml", r"captioning \| drawings \|", "captioning | doubling | drawings |"),
    ("pyproject.toml", r'"utils.captioning", ', '"utils.captioning", "utils.doubling", '),
)


def listed() -> list[str]:
    """The files that "Add a lesson" names with NAME or SUBJECT in their paths."""
    page = (ROOT / "docs" / "maintainer.md").read_text(encoding="utf-8")
    (steps,) = re.findall(r"\n## Add a lesson\n(.*?)\n## ", page, flags=re.DOTALL)
    return re.findall(r"`([\w./]*(?:NAME|SUBJECT)[\w./]*)`", steps)


def test_the_lessons_that_are_here_have_what_the_list_names():
    names = [name for name in listed() if "SUBJECT" not in name and "/js/" not in name]
    assert len(names) >= 9
    for lesson, name in itertools.product(lesson_names(), names):
        path = name.replace("NAME", lesson).replace("QUESTION__WHAT", "*").replace("LANGUAGE", "*")
        assert any(ROOT.glob(path)) or (ROOT / path).with_suffix("").is_dir(), path


def test_the_list_names_each_file_of_the_tiny_lesson():
    known = [re.sub("[A-Z]+(__[A-Z]+)?", r"\\w+", re.escape(name)) for name in (*listed(), "utils/SUBJECT/MODULE.py")]
    assert all(any(re.fullmatch(one, name) for one in known) for name in FILES), known


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """A copy of the workbook with one lesson more."""
    copy = tmp_path_factory.mktemp("copy") / "workbook"
    for part in ("autograder", "benchmarks", "utils", "source", "notebooks", "tests/variants"):
        shutil.copytree(ROOT / part, copy / part)
    for part in ("nbgrader_config.py", "pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / part, copy / part)
    for name, text in FILES.items():
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text(text, encoding="utf-8")
    for name, pattern, instead in WORDS:
        text, found = re.subn(pattern, instead, (copy / name).read_text(encoding="utf-8"))
        assert found == 1, pattern
        (copy / name).write_text(text, encoding="utf-8")
    run(copy, "-m", "autograder", "translate")
    for language in LANGUAGES[1:]:
        for name in ("messages", "tiny"):
            path = copy / "notebooks" / language / f"{name}.po"
            catalogue = polib.pofile(str(path))
            for entry in catalogue.untranslated_entries():
                entry.msgstr = entry.msgid
            catalogue.save()
    run(copy, "-m", "autograder", "build", "tiny")
    return copy


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
    for folder, keys in (("answers", {"double"}), ("outlines", {"double"}), ("cases", {"double"})):
        content = (copy / "utils" / "checks" / folder / "tiny.json").read_text(encoding="utf-8")
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
    shown = run(copy, "-c", "from utils.checks.outline import LESSONS; print(LESSONS[-1], len(LESSONS))")
    assert shown.split() == ["tiny", str(len(lesson_names()) + 1)]


def test_students_get_it_with_its_modules_in_every_language(copy):
    run(copy, "-m", "autograder", "bundle", "--course", str(copy))
    (bundle,) = (copy / "bundle").glob("*.zip")
    with zipfile.ZipFile(bundle) as zipped:
        names = {name.partition("/")[2] for name in zipped.namelist()}
    for language in LANGUAGES:
        assert {f"{language}/tiny.ipynb", f"colab/{language}/tiny.ipynb"} <= names
    (wheel,) = (copy / "bundle").glob("*.whl")
    with zipfile.ZipFile(wheel) as zipped:
        assert {"utils/doubling/numbers.py", "utils/checks/cases/tiny.json"} <= set(zipped.namelist())


def test_its_modules_stand_in_the_layers_and_its_drawing_among_the_slides(copy):
    linter = pytest.importorskip("importlinter.cli", reason="the layers are checked with Python 3.11 or later")
    assert linter
    run(copy, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")
    run(copy, "-m", "autograder", "slides")
    for language in LANGUAGES:
        assert "Two equal boxes" in (copy / "slides" / language / "tiny-twice.svg").read_text(encoding="utf-8")
