"""Flags are worth reading: only code that does something raises one."""

import pkgutil

import nbformat
import pytest

from autograder.common.course import WORKBOOK
from autograder.examine.suspicion import code_alone, suspicions
from autograder.lesson.text import Lesson
from benchmarks.proof.verdicts import cases
from utils import checks


def flags(source):
    return suspicions([nbformat.v4.new_code_cell(source, id="one")], [])


@pytest.mark.parametrize(
    "source",
    [
        "# see Transformer_Captioning.ipynb, or autograder/",
        "x = 1  # é: os.environ is not for us",
        'def f():\n    """Reads gradebook.db and os.system("…")."""\n    return 1',
        "Q: torch.Tensor = self.query(query)",
        "pe: torch.Tensor = torch.zeros(1, max_len, embed_dim)",
        "import importlib",
        "import importlib.util\nimportlib.util.find_spec('tqdm') is None",
        "from importlib.metadata import version",
        "importlib.reload(mine)",
    ],
)
def test_what_does_nothing_raises_no_flag(source):
    assert flags(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "torch.allclose = lambda *a, **k: True",
        'open("gradebook.db")  # nothing to see',
        'x = """os.environ"""',
        "x: os.system('ls') = 1",
        "%run gradebook.py",
        'é = "é"; import os; os.environ  # é',
        "import os\rx = 1  # b\ros.environ",
        "import importlib as usual",
        "usual = importlib",
        "import importlib; importlib.import_module('autograder.exams')",
        "from importlib import import_module",
        "from importlib.util import find_spec, spec_from_file_location",
        "importlib.util.spec_from_file_location('mine', 'mine.py')",
    ],
)
def test_what_does_something_still_does(source):
    assert flags(source) != []


def test_a_text_over_several_lines_is_blanked_from_its_first_letter_to_its_last():
    source = 'def f():\n    """One\ntwo three\n    """\n    return 1'
    assert code_alone(source) == "def f():\n          \n         \n       \n    return 1"


def modules_of_checks() -> list[str]:
    return sorted(name for _, name, _ in pkgutil.walk_packages(checks.__path__, "utils.checks."))


@pytest.mark.parametrize("name", modules_of_checks())
def test_what_judges_is_flagged_and_what_notebooks_import_is_not(name):
    """A lesson's check, `going_on` and `standing` are for notebooks; `engine`, `check` and `outline` are not."""
    package, _, module = name.rpartition(".")
    first = name.split(".")[2]
    expected = first not in {*list(WORKBOOK.lessons), "going_on", "standing"}
    for code in (f"import {name}", f"from {package} import {module} as x", f"from {name} import y"):
        assert bool(flags(code)) == expected, code


def test_a_lessons_own_import_of_its_check_is_not_flagged():
    assert [flags(f"from utils.checks import {lesson} as check") for lesson in list(WORKBOOK.lessons)] == [[]] * len(
        list(WORKBOOK.lessons)
    )
    assert flags("from utils.checks import attention, panel")


def test_lines_and_lengths_stay():
    source = 'a = 1  # é ü\n"""text\nmore"""\nb = "é"  # c\n'
    assert [len(line.rstrip()) for line in code_alone(source).split("\n")] == [5, 0, 0, 7, 0]


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_no_correct_variant_is_flagged(name):
    found = {case.name: flags(case.code) for case in cases(Lesson.load(name, WORKBOOK), kinds=("variants",))}
    assert {name: flag for name, flag in found.items() if flag} == {}
