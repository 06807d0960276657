"""Flags are worth reading: only code that does something raises one."""

import ast
import pkgutil

import nbformat
import pytest

from autograder.common.course import WORKBOOK
from autograder.examine.suspicion import of_code, suspicions
from autograder.lesson.release import release_notebook
from autograder.lesson.setup import stamp
from autograder.lesson.text import Lesson
from autograder.lesson.translation import LANGUAGES, translate_notebook
from benchmarks.proof.verdicts import cases
from tests.helpers.harmless import CELLS
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


def test_of_a_hundred_harmless_cells_two_are_flagged_at_most():
    flagged = {cell: flags(cell) for cell in CELLS if flags(cell)}
    assert len(CELLS) >= 100 and len(flagged) <= 2, flagged


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_the_workbooks_own_cells_are_not_flagged_where_their_labels_are_lost(name):
    lesson = Lesson.load(name, WORKBOOK)
    for language in LANGUAGES:
        notebook = translate_notebook(release_notebook(lesson), language, lesson)
        stamp(notebook, "0.1.0+12345678", "https://example.org/utils.whl")
        found = [flags(cell.source) for cell in notebook.cells if cell.cell_type == "code"]
        assert [flag for cell in found for flag in cell] == []


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ('getattr(frame, "f_" + "back")', "looks for the grader"),
        ('getattr(frame, "".join(["f_", "loc", "als"]))', "looks for the grader"),
        ("getattr(frame, f\"f_{'back'}\")", "looks for the grader"),
        ('getattr(frame, "kcab_f"[::-1])', "looks for the grader"),
        ('getattr(frame, "f_%s" % "back")', "looks for the grader"),
        ("from sys import _getframe as look\nlook(1)", "looks for the grader"),
        ("try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__.tb_frame", "looks for the grader"),
        ("t = torch\nt.allclose = print", "overwrites a library's function"),
        ("import torch.nn.functional as G\nG.softmax = print", "overwrites a library's function"),
        ("setattr(torch, 'allclose', print)", "overwrites a library's function"),
        ("torch.__dict__['allclose'] = print", "overwrites a library's function"),
        ("from os import fork as spoon\nspoon()", "starts or ends processes"),
        ("x = bytearray(10 ** 9)", "takes a lot of memory"),
        ("time.sleep(600)", "may wait forever"),
        ("open(path)", "looks around the file system"),
        ('open("/etc/passwd")', "looks around the file system"),
        ("%run ../../gradebook.py", "looks for the course's files"),
        ("x = " + "-" * 100_000 + "1", "cannot be read"),
        ("x = 1\n" * 50_000, "is too long to be read"),
    ],
)
def test_what_code_does_is_seen_whatever_it_calls_it(source, what):
    assert any(what in flag for flag in flags(source)), flags(source)


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


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_no_correct_variant_is_flagged(name):
    found = {case.name: flags(case.code) for case in cases(Lesson.load(name, WORKBOOK), kinds=("variants",))}
    assert {name: flag for name, flag in found.items() if flag} == {}


def test_a_cell_is_parsed_once_and_no_other_text_with_it(monkeypatch):
    parsed, parse = [], ast.parse
    monkeypatch.setattr(ast, "parse", lambda *given, **more: parsed.append(given[0]) or parse(*given, **more))
    for source in ("x = 1", "y = x[0][1]"):
        list(of_code(source))
    assert parsed == ["x = 1", "y = x[0][1]"]
