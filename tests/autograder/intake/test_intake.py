"""Whatever is handed in becomes a notebook that can be graded, or a refusal of one sentence."""

import json
import os
from pathlib import Path

import pytest

from autograder.common.course import WORKBOOK
from autograder.common.paths import MAX_BYTES
from autograder.intake.notebook import Taken, take_in, take_in_bytes
from autograder.intake.plain import MAX_SOURCES
from autograder.lesson.compose import compose
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson, write_notebook
from autograder.lesson.translation import TEXT_STUB, message
from tests.helpers.languages import LANGUAGES

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
MALFORMED = Path(__file__).parent / "malformed"


@pytest.fixture
def notebook() -> dict:
    """A blank submission, as JSON."""
    return json.loads(write_notebook(compose(ATTENTION, blank=True)))


def take(notebook: dict) -> Taken:
    return take_in_bytes(json.dumps(notebook).encode(), ATTENTION)


def graded(taken: Taken) -> dict[str, float]:
    cells = [cell.metadata.nbgrader for cell in taken.notebook.cells if "nbgrader" in cell.metadata]
    return {cell.grade_id: cell.points for cell in cells if cell.grade}


ASKED = {cell.grade_id: cell.points for cell in ATTENTION.of_role("test", "essay")}


def cell_of(notebook: dict, name: str) -> dict:
    return next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == name)


@pytest.mark.parametrize("path", sorted(MALFORMED.iterdir()), ids=lambda path: path.name)
def test_malformed_files_are_refused_in_one_sentence(path):
    taken = take_in(path, ATTENTION)
    assert taken.refused is not None
    assert 20 < len(taken.refused.render()) < 200
    assert graded(taken) == ASKED
    assert taken.refused.render() in taken.notebook.cells[0].source


def test_an_unchanged_release_needs_no_mending(notebook):
    taken = take(notebook)
    assert (taken.mended, taken.refused) == ([], None)
    assert [cell.source for cell in taken.notebook.cells] == [cell.source for cell in release_notebook(ATTENTION).cells]


def test_what_is_no_file_is_refused(tmp_path):
    secret = tmp_path / "secret.ipynb"
    secret.write_text(write_notebook(compose(ATTENTION)))
    (tmp_path / "link.ipynb").symlink_to(secret)
    os.mkfifo(tmp_path / "pipe.ipynb")
    (tmp_path / "folder.ipynb").mkdir()
    for name in ("link", "pipe", "folder", "absent"):
        assert take_in(tmp_path / f"{name}.ipynb", ATTENTION).refused, name
    assert take_in("/dev/zero", ATTENTION).refused


def test_a_huge_file_is_refused_unread(tmp_path):
    path = tmp_path / "huge.ipynb"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert "too large" in take_in(path, ATTENTION).refused.render()


def test_text_without_end_is_cut(notebook):
    notebook["cells"] += [{"cell_type": "code", "metadata": {}, "source": "#" * 199_999, "outputs": []}] * 20
    taken = take(notebook)
    assert sum(len(cell.source) for cell in taken.notebook.cells) <= MAX_SOURCES
    assert any("characters were read" in message.template for message in taken.mended)


def test_other_encodings_are_read(notebook):
    text = json.dumps(notebook, ensure_ascii=False)
    for content in (text.encode("utf-8-sig"), text.encode("utf-16"), text.encode("latin-1", "replace")):
        assert take_in_bytes(content, ATTENTION).refused is None
    assert take_in_bytes(text.encode().replace(b'"cells"', b'"cel\x00ls"'), ATTENTION).refused is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_answer_is_empty_in_every_language(notebook, language):
    essay = next(cell.name for cell in ATTENTION.of_role("essay"))
    cell_of(notebook, essay)["source"] = message(TEXT_STUB, language)
    answer = cell_of(take(notebook).notebook, essay)
    assert answer["source"] == TEXT_STUB


def test_copies_are_joined_and_the_last_counts(notebook):
    name = next(iter(ATTENTION.solutions))
    cell = cell_of(notebook, name)
    for source in ("answer = 1", "answer = 2"):
        notebook["cells"].append(cell | {"source": source})
    source = cell_of(take(notebook).notebook, name)["source"]
    assert source.index("answer = 1") < source.index("answer = 2")


def test_lost_marks_are_found_by_what_a_cell_defines(notebook):
    solved = json.loads(write_notebook(compose(ATTENTION)))
    for cell in solved["cells"]:
        cell["metadata"] = {}
        cell.pop("id", None)
    taken = take(solved)
    wanted = {
        cell.metadata.nbgrader.grade_id: cell.source for cell in compose(ATTENTION).cells if "nbgrader" in cell.metadata
    }
    got = {cell.metadata.nbgrader.grade_id: cell.source for cell in taken.notebook.cells if "nbgrader" in cell.metadata}
    for name in ATTENTION.solutions:
        assert got[name] == wanted[name]


def test_nothing_of_a_page_survives(notebook):
    notebook["cells"].append({"cell_type": "raw", "metadata": {"format": "text/html"}, "source": "<script>1</script>"})
    page = {"text/html": "<script>1</script>", "image/svg+xml": "<svg onload=1>", "image/png": "x\"onerror='1'"}
    for cell in notebook["cells"]:
        cell["attachments"] = {"a": page}
        cell["outputs"] = [{"output_type": "display_data", "data": page, "metadata": {}}]
    taken = take(notebook).notebook
    assert {cell.cell_type for cell in taken.cells} == {"code", "markdown"}
    assert not any(cell.get("outputs") for cell in taken.cells)
    assert "onerror" not in json.dumps([cell.get("attachments") for cell in taken.cells])
