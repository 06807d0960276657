"""The maps of utils: every package's docstring names its modules, one line each, from those that use to those used."""

import ast
import importlib
import re
from pathlib import Path

import pytest

import utils
from autograder.lesson.text import Lesson
from utils.checks.check import Check

ROOT = Path(utils.__file__).parent
PACKAGES = [path.parent for path in sorted(ROOT.glob("*/__init__.py")) if path.parent.name != "drawings"]
LINE = re.compile(r"(?m)^ {4,8}((?:\w+(?:\.py|/)\s+)+)")


def named(folder: Path) -> list[str]:
    """The modules and packages that a package's map has a line for, in its order."""
    doc = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")), clean=False) or ""
    return [re.split(r"[./]", name)[0] for names in LINE.findall(doc) for name in names.split()]


def present(folder: Path) -> set[str]:
    """The modules and packages that there are."""
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    return modules | {path.parent.name for path in folder.glob("*/__init__.py")}


@pytest.mark.parametrize("folder", [ROOT, *PACKAGES], ids=lambda folder: folder.name)
def test_every_module_has_its_line(folder):
    assert present(folder) <= set(named(folder))


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda folder: folder.name)
def test_a_map_is_all_that_a_package_holds(folder):
    tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    code = [node for node in tree.body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
    assert not code


@pytest.mark.parametrize("name", ["captioning", "translation", "shapes1d", "scenes", "french", "coco", "checks"])
def test_arrows_point_down_the_map(name):
    order = named(ROOT / name)
    assert order
    for place, module in enumerate(order):
        path = ROOT / name / f"{module}.py"
        if not path.is_file():
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"utils.{name}"):
                inner = node.module.removeprefix(f"utils.{name}").strip(".").partition(".")[0]
                for target in [inner] if inner else [alias.name for alias in node.names]:
                    assert order.index(target) > place, f"{module} imports {target}, which stands above it"


def test_the_lesson_seq2seq_has_its_questions_in_order():
    check = importlib.import_module("utils.checks.seq2seq")
    questions = [value for value in (getattr(check, name) for name in check.__all__) if isinstance(value, Check)]
    cells = [cell.name for cell in Lesson.load("seq2seq").of_role("test")]
    assert [question.name for question in questions] == cells
    assert {question.lesson for question in questions} == {"seq2seq"}


def test_one_letter_stands_for_one_length():
    """Every size that a check names is in the table of letters, whichever lesson asks."""
    table = re.findall(r"(?m)^    (\w)  ", (utils.__doc__ or "").split("One letter stands for one length")[1])
    assert len(table) == len(set(table)) >= 14
    for lesson in ("attention", "captioning", "seq2seq"):
        names = vars(importlib.import_module(f"utils.checks.{lesson}")).values()
        for check in names:
            for symbol in getattr(check, "sizes", {}):
                assert set(symbol.replace("/", "")) - {"2"} <= set(table), f"{lesson}, {check.name}: {symbol}"
