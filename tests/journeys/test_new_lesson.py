"""A tiny lesson made from nothing, with the files that "Add a lesson" in docs/maintainer.md lists, is a whole lesson.

It is made in a copy of the workbook: four files, one word in the order of lessons, and its translations.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import polib
import pytest

from autograder.common.paths import ROOT, lesson_names
from utils.common.messages import LANGUAGES

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
""",
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
ORDER = Path("utils/checks/standing.py")


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
    order, found = re.subn(r"(?m)^(LESSONS = \(.*)\)$", r'\1, "tiny")', (copy / ORDER).read_text(encoding="utf-8"))
    assert found == 1
    (copy / ORDER).write_text(order, encoding="utf-8")
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
    for folder, keys in (("answers", {"double"}), ("outlines", {"double"})):
        content = (copy / "utils" / "checks" / folder / "tiny.json").read_text(encoding="utf-8")
        assert all(f'"{key}"' in content for key in keys)


def test_its_mistake_is_caught_and_named_and_its_variant_has_full_marks(copy):
    table = json.loads(run(copy, "-m", "benchmarks.proof", "verdicts", "tiny", "--quick", "--json"))
    (row,) = table["cells"].values()
    assert (row["mistakes"], row["caught"], row["named"]) == (1, 1, 1)
    assert (row["variants"], row["rejected"]) == (1, 0)


def test_a_notebook_is_graded_and_stands_among_the_lessons(copy):
    run(copy, "-m", "autograder", "compose", "tiny", "-o", "solved.ipynb")
    graded = json.loads(run(copy, "-m", "autograder", "try", "tiny", "solved.ipynb", "--unsafe", "--json"))
    assert [question["points"] for question in graded["questions"]] == [2.0]
    shown = run(copy, "-c", "from utils.checks import standing; print(standing.LESSONS[-1], len(standing.LESSONS))")
    assert shown.split() == ["tiny", str(len(lesson_names()) + 1)]
