"""Notebooks made, copied and written by ourselves are what nbformat would make, copy and write."""

import copy

import nbformat
import pytest
from nbformat import NotebookNode

from autograder.common.nodes import as_node, text_of
from autograder.common.paths import lesson_names
from autograder.lesson.compose import compose
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson

EVERY_OUTPUT = [
    {"output_type": "stream", "name": "stdout", "text": 'one\ntwo\n\n“three”\u2028\tfour\\"\x00\x7f'},
    {"output_type": "stream", "name": "stderr", "text": ""},
    {
        "output_type": "display_data",
        "metadata": {"image/png": {"width": 3, "height": 1.5e-7}},
        "data": {"image/png": "aGVs\nbG8=\n", "text/plain": "a\nb", "application/json": {"a": [1, None, True, []]}},
    },
    {"output_type": "execute_result", "execution_count": 3, "metadata": {}, "data": {"text/html": "<b>\n</b>"}},
    {"output_type": "error", "ename": "E", "evalue": "é 😀", "traceback": ["a\nb", "c"]},
]


def notebooks() -> list[NotebookNode]:
    found = []
    for lesson in map(Lesson.load, lesson_names()):
        found += [release_notebook(lesson), compose(lesson)]
    full = compose(Lesson.load("attention"))
    next(cell for cell in full.cells if cell.cell_type == "code").outputs = [as_node(one) for one in EVERY_OUTPUT]
    full.cells[0].metadata.update({"trusted": True, "odd": {"z": float("inf"), "a": -0.0, "é": [[], {}, [{}]]}})
    full.cells[0].attachments = {"a.png": {"image/png": "aa\nbb"}}
    full.metadata.update({"signature": "x", "orig_nbformat": 4})
    return [*found, full, nbformat.v4.new_notebook()]


@pytest.mark.parametrize("number", range(8))
def test_a_notebook_is_written_as_nbformat_writes_it(number):
    notebook = notebooks()[number]
    before = copy.deepcopy(notebook)
    assert text_of(notebook) == nbformat.writes(notebook) + "\n"
    assert notebook == before


def test_a_node_is_what_nbformat_makes_and_shares_nothing():
    plain = {"a": {"b": [1, "x", {"c": (1, {"d": None})}]}, "e": []}
    made = as_node(plain)
    assert made == nbformat.from_dict(plain)
    assert made.a.b[2].c[1].d is None
    again = as_node(made)
    made.a.b[2].c[1].d = made.e = 5
    assert again == nbformat.from_dict(plain)
