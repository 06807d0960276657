"""Lessons are run for the site with the reference, once, and again when what they are made from has changed."""

import ast
import asyncio
import builtins
import json
import re

import pytest

from autograder.common.course import WORKBOOK
from autograder.common.errors import BuildError
from autograder.lesson.text import Lesson

pytest.importorskip("sphinx", reason="needs the extra `site`")

from autograder.site import make, outputs

TINY = """# %% [markdown]
# # A lesson

# %% solution double
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% show draw
from utils.common.messages import notebook_language
print(double(21), notebook_language())
"""


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_the_cells_that_are_run_use_no_name_of_a_cell_that_is_not(name):
    """A student's own cell assigns `OPTIONAL`, for instance, and is not run."""
    code = re.sub(r"(?m)^%.*$", "", "\n".join(outputs.codes_of(Lesson.load(name, WORKBOOK)).values()))
    nodes = list(ast.walk(ast.parse(code)))
    used = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    made = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    made |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    made |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    made |= {(node.asname or node.name).split(".")[0] for node in nodes if isinstance(node, ast.alias)}
    assert used - made <= set(dir(builtins)), used - made - set(dir(builtins))


def test_a_lesson_is_run_with_the_reference_once(tmp_path, monkeypatch):
    monkeypatch.setattr(outputs, "KEPT", tmp_path)
    monkeypatch.setattr(make, "LANGUAGES", ("en", "fr"))
    written = {"text": TINY}
    monkeypatch.setattr(make, "lessons_of", lambda course: [Lesson.parse("attention", written["text"], course)])
    said = []
    asyncio.run(make.run_all(2, said.append))
    lesson = Lesson.parse("attention", TINY, WORKBOOK)
    for language in ("en", "fr"):
        (shown,) = outputs.kept(lesson, language)["draw"]
        assert shown == {"output_type": "stream", "name": "stdout", "text": f"42 {language}\n"}
        assert f"running attention in {language} with the reference (some minutes)" in said
    made_from = json.loads((tmp_path / "fr-attention.json").read_text())["made_from"]
    assert {"attention", "utils/common/messages.py", "utils/locale/fr/LC_MESSAGES/messages.mo"} <= set(made_from)
    assert outputs.kept(lesson, "zh") == {} and not outputs.is_fresh(lesson, "zh")

    runs = []

    async def executed(lesson: Lesson, language: str):
        runs.append(language)
        return {}, []

    monkeypatch.setattr(outputs, "executed", executed)
    written["text"] = TINY.replace("A lesson", "A better lesson")
    asyncio.run(make.run_all(2, said.append))
    assert not runs
    written["text"] = TINY.replace("2 * x", "3 * x")
    asyncio.run(make.run_all(2, said.append))
    assert sorted(runs) == ["en", "fr"] and outputs.kept(lesson, "fr") == {}


def test_a_lesson_that_does_not_run_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(outputs, "KEPT", tmp_path)
    with pytest.raises(BuildError, match="The lesson attention does not run") as raised:
        asyncio.run(outputs.keep(Lesson.parse("attention", TINY.replace("2 * x", "2 * y"), WORKBOOK), "en"))
    assert "name 'y' is not defined" in str(raised.value) and not list(tmp_path.iterdir())


def test_a_run_is_repeated_when_a_module_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(outputs, "ROOT", tmp_path)
    module = tmp_path / "module.py"
    module.write_text("a = 1")
    before = outputs.made_from(Lesson.parse("attention", TINY, WORKBOOK), ["module.py"])
    assert before == outputs.made_from(Lesson.parse("attention", TINY, WORKBOOK), before)
    module.write_text("a = 2")
    assert before != outputs.made_from(Lesson.parse("attention", TINY, WORKBOOK), before)
    module.unlink()
    assert outputs.made_from(Lesson.parse("attention", TINY, WORKBOOK), before)["module.py"] == ""


def test_a_site_takes_the_place_of_an_older_one_and_of_nothing_else(tmp_path):
    built, folder = tmp_path / "built", tmp_path / "site"
    built.mkdir()
    for content in ("first", "second"):
        (built / "searchindex.js").write_text(content)
        (built / f"{content}.html").write_text(content)
        make.put_in_place(built, folder)
        assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in built.iterdir())
        assert (folder / "searchindex.js").read_text() == content
    (folder / "searchindex.js").unlink()
    with pytest.raises(BuildError, match="is not a site; name an empty or a new folder"):
        make.put_in_place(built, folder)
    assert (folder / "second.html").exists()
