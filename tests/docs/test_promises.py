"""Every promise of `docs/promises.md` names a test, and every test that it names is there."""

import ast
import re

import pytest

from autograder.common.paths import ROOT

TEXT = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+)(?:\[(\w+)\])?)?`", TEXT)))


@pytest.mark.parametrize(("path", "function", "parameter"), NAMED)
def test_what_holds_a_promise_is_there(path, function, parameter):
    module = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = {node.name for node in module.body if isinstance(node, ast.FunctionDef)}
    assert not function or function in functions
    assert not parameter or (ROOT / path).with_name(f"{parameter}.py").is_file(), "an attack of the corpus"


def test_every_promise_names_what_holds_it():
    rows = [line for line in TEXT.splitlines() if line.startswith("| ") and not re.match(r"\| (---|promise)", line)]
    assert len(rows) > 30
    assert [row for row in rows if "`tests/" not in row and "`make siege`" not in row] == []
    assert TEXT.count("`tests/") >= len(rows) - 1 and len(NAMED) > 25
