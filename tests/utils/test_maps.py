"""The maps of utils: every package's docstring names its modules, one line each, from those that use to those used."""

import ast
import importlib
import re
from pathlib import Path

import pytest

import utils
from autograder.common.course import WORKBOOK
from autograder.lesson.text import Lesson
from utils.checks.check import Check
from utils.common.lessons import ORDER

ROOT = Path(utils.__file__).parent
PACKAGES = [path.parent for path in sorted(ROOT.glob("*/**/__init__.py")) if path.parent.name != "drawings"]
LESSONS_CHECKS = [ROOT / lesson / "check" for lesson in list(WORKBOOK.lessons)]
LINE = re.compile(r"(?m)^ {4,8}((?:\w+(?:\.py|/)\s+)+)")


def named(folder: Path) -> list[str]:
    """The modules and packages that a package's map has a line for, in its order."""
    doc = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")), clean=False) or ""
    return [re.split(r"[./]", name)[0] for names in LINE.findall(doc) for name in names.split()]


def present(folder: Path) -> set[str]:
    """The modules and packages that there are."""
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    return modules | {path.parent.name for path in folder.glob("*/__init__.py")}


@pytest.mark.parametrize("folder", [ROOT, *PACKAGES], ids=str)
def test_every_module_has_its_line(folder):
    assert present(folder) <= set(named(folder))


@pytest.mark.parametrize("folder", [one for one in PACKAGES if one not in LESSONS_CHECKS], ids=str)
def test_a_map_is_all_that_a_package_holds(folder):
    tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    code = [node for node in tree.body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
    assert not code


@pytest.mark.parametrize("folder", PACKAGES, ids=str)
def test_arrows_point_down_the_map(folder):
    name, order = ".".join(folder.relative_to(ROOT.parent).parts), named(folder)
    assert order
    for place, module in enumerate(order):
        path = folder / f"{module}.py"
        if not path.is_file():
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{name}."):
                inner = (node.module or "").removeprefix(name).strip(".").partition(".")[0]
                for target in [inner] if inner else [alias.name for alias in node.names]:
                    assert order.index(target) > place, f"{module} imports {target}, which stands above it"


@pytest.mark.parametrize("lesson", list(WORKBOOK.lessons))
def test_a_lesson_s_checks_have_its_questions_in_order(lesson):
    check = importlib.import_module(f"utils.{lesson}.check")
    names = getattr(check, "__all__", vars(check))
    questions = [value for value in (getattr(check, name) for name in names) if isinstance(value, Check)]
    cells = [cell.name for cell in Lesson.load(lesson, WORKBOOK).of_role("test")]
    assert [question.name for question in questions] == cells
    assert {question.lesson for question in questions} == {lesson}


def test_the_order_of_lessons_has_every_lesson_once():
    assert sorted(ORDER) == sorted(WORKBOOK.lessons)


def test_one_letter_stands_for_one_length():
    """Every size that a check names is in the table of letters, whichever lesson asks."""
    table = re.findall(r"(?m)^    (\w)  ", (utils.__doc__ or "").split("One letter means one length")[1])
    assert len(table) == len(set(table)) >= 14
    for lesson in list(WORKBOOK.lessons):
        names = vars(importlib.import_module(f"utils.{lesson}.check")).values()
        for check in names:
            for symbol in getattr(check, "sizes", {}):
                assert set(symbol.replace("/", "")) - {"2"} <= set(table), f"{lesson}, {check.name}: {symbol}"
