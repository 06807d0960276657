"""Intake never raises: notebooks bent at random become something that can be graded, or a refusal."""

import copy
import json
import os

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.common.course import WORKBOOK
from autograder.examine.suspicion import suspicions
from autograder.gradebook.steps import note_intake
from autograder.intake.notebook import take_in_bytes
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson, write_notebook

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
# The long run is `INTAKE_EXAMPLES=10000 python -m pytest tests/autograder/intake/test_intake_fuzz.py`.
EXAMPLES = int(os.environ.get("INTAKE_EXAMPLES", "100"))
NOTEBOOK = json.loads(write_notebook(compose(ATTENTION, blank=True)))
ASKED = {cell.grade_id: cell.points for cell in ATTENTION.of_role("test", "essay")}

texts = st.text(max_size=20) | st.sampled_from(["\ud800", "\x00", "<script>", "../../x", "test_loss", "self_attention"])
leaves = st.none() | st.booleans() | st.integers() | st.floats() | texts
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12
)
# Where a change strikes: the n-th place met on a walk through the notebook.
changes = st.lists(
    st.tuples(st.integers(0, 2000), st.sampled_from(["put", "drop", "double", "wrap"]), values), max_size=8
)


def places(tree, found: list) -> list[tuple]:
    """Return (container, key) of everything in the tree."""
    for key in list(tree) if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ():
        found.append((tree, key))
        places(tree[key], found)
    return found


def bend(notebook: dict, what: list[tuple]) -> dict:
    for number, how, value in what:
        known = places(notebook, [])
        if not known:
            break
        tree, key = known[number * 7919 % len(known)]
        if how == "put":
            tree[key] = copy.deepcopy(value)
        elif how == "drop":
            del tree[key]
        elif how == "wrap":
            tree[key] = [tree[key]]
        elif isinstance(tree, list):
            tree.insert(key, copy.deepcopy(tree[key]))
    return notebook


def check(content: bytes) -> None:
    taken = take_in_bytes(content, ATTENTION)
    note_intake(taken)
    cells = [cell.metadata.nbgrader for cell in taken.notebook.cells if "nbgrader" in cell.metadata]
    assert {cell.grade_id: cell.points for cell in cells if cell.grade} == ASKED
    suspicions([cell for cell in taken.notebook.cells if cell.cell_type == "code"], [])
    nbformat.validate(taken.notebook)
    write_notebook(taken.notebook).encode()


relaxed = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


@pytest.mark.whole
@relaxed
@given(changes)
def test_bent_notebooks(what):
    check(json.dumps(bend(copy.deepcopy(NOTEBOOK), what)).encode("utf-8", "surrogatepass"))


@settings(relaxed, max_examples=EXAMPLES // 3)  # small values are tried first
@given(values)
def test_other_json(value):
    check(json.dumps({"cells": value} if isinstance(value, list) else value).encode("utf-8", "surrogatepass"))


@pytest.mark.whole
@relaxed
@given(st.binary(max_size=200) | st.tuples(st.integers(0, 30_000), st.binary(max_size=5)))
def test_damaged_bytes(damage):
    whole = json.dumps(NOTEBOOK).encode()
    content = damage if isinstance(damage, bytes) else whole[: damage[0]] + damage[1] + whole[damage[0] + 3 :]
    check(content)
