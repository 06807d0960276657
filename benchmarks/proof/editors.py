"""What editors, and students in editors, do to a notebook between the lesson and the grader.

A trip changes a notebook in place. `EDITORS` are the round trips through other tools; in `HABITS` students write where
nobody expects their answers, or tools write cells in a form of their own, and half of the notebooks lose their labels.
"""

import json
import random
from collections.abc import Callable
from typing import Any

import jupytext

from autograder.common.nodes import as_node
from autograder.lesson.translation import TEXT_STUB, message

Cells = list[dict[str, Any]]
Trip = Callable[[dict[str, Any], random.Random], None]
EDITORS: dict[str, Trip] = {}
HABITS: dict[str, Trip] = {}


def trip(function: Trip) -> Trip:
    EDITORS[function.__name__.replace("_", " ")] = function
    return function


def habit(function: Trip) -> Trip:
    def changed(notebook: dict[str, Any], rng: random.Random) -> None:
        function(notebook, rng)
        if rng.random() < 0.5:
            ids_and_cell_metadata_lost(notebook, rng)

    HABITS[function.__name__.replace("_", " ")] = changed
    return function


def cell_of(kind: str, source: str) -> dict[str, Any]:
    return {"cell_type": kind, "metadata": {}, "source": source} | (
        {"outputs": [], "execution_count": None} if kind == "code" else {}
    )


# ---- editors -------------------------------------------------------------------------------------------


@trip
def ids_lost(notebook: dict[str, Any], _rng: random.Random) -> None:
    for cell in notebook["cells"]:
        cell.pop("id", None)
    notebook["nbformat_minor"] = 4


@trip
def cell_metadata_lost(notebook: dict[str, Any], _rng: random.Random) -> None:
    for cell in notebook["cells"]:
        cell["metadata"] = {}


@trip
def ids_and_cell_metadata_lost(notebook: dict[str, Any], rng: random.Random) -> None:
    ids_lost(notebook, rng)
    cell_metadata_lost(notebook, rng)


@trip
def all_metadata_lost(notebook: dict[str, Any], rng: random.Random) -> None:
    ids_and_cell_metadata_lost(notebook, rng)
    notebook["metadata"] = {}


@trip
def to_a_script_and_back(notebook: dict[str, Any], _rng: random.Random) -> None:
    bare = notebook | {"cells": [cell | {"metadata": {}} for cell in notebook["cells"]], "metadata": {}}
    back = jupytext.reads(jupytext.writes(as_node(bare), fmt="py:light"), fmt="py:light")
    notebook |= {"metadata": {}, "cells": json.loads(json.dumps(back.cells))}


@trip
def pasted_into_a_new_notebook(notebook: dict[str, Any], rng: random.Random) -> None:
    all_metadata_lost(notebook, rng)
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = f"{rng.getrandbits(32):08x}-{number}"
        cell["outputs"] = [] if cell["cell_type"] == "code" else cell.pop("outputs", None)
        if cell["outputs"] is None:
            del cell["outputs"]
    notebook["cells"].insert(0, cell_of("code", ""))
    notebook["metadata"] = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}


@trip
def cells_moved(notebook: dict[str, Any], rng: random.Random) -> None:
    cells = notebook["cells"]
    for _ in range(8):
        cell = cells.pop(rng.randrange(len(cells)))
        cells.insert(rng.randrange(len(cells)), cell)


@trip
def cells_split(notebook: dict[str, Any], rng: random.Random) -> None:
    """As VS Code splits: the second half has no label."""
    halves: Cells = []
    for cell in notebook["cells"]:
        lines = cell["source"].split("\n")
        if len(lines) < 2 or rng.random() < 0.6:
            halves.append(cell)
            continue
        at = rng.randrange(1, len(lines))
        second = cell_of(cell["cell_type"], "\n".join(lines[at:])) | (
            {"attachments": cell["attachments"]} if "attachments" in cell else {}
        )
        halves += [cell | {"source": "\n".join(lines[:at])}, second]
    notebook["cells"] = halves


@trip
def cells_merged(notebook: dict[str, Any], rng: random.Random) -> None:
    """As Jupyter merges: the first cell's label stays."""
    merged: Cells = []
    for cell in notebook["cells"]:
        above = merged[-1] if merged else None
        if above and above["cell_type"] == cell["cell_type"] and rng.random() < 0.5:
            above["source"] = "\n\n".join((above["source"], cell["source"]))
            if pictures := above.get("attachments", {}) | cell.get("attachments", {}):
                above["attachments"] = pictures
        else:
            merged.append(cell)
    notebook["cells"] = merged


@trip
def headings_of_another_tool(notebook: dict[str, Any], rng: random.Random) -> None:
    """As Deepnote exports: headings are cells of their own, labels are its own, and it adds a cell."""
    cells: Cells = []
    for cell in notebook["cells"]:
        first, _, rest = cell["source"].partition("\n")
        parts = [first, rest.strip()] if cell["cell_type"] == "markdown" and first.startswith("#") else [cell["source"]]
        for part in filter(None, parts):
            metadata = {"cell_id": f"{rng.getrandbits(64):016x}", "deepnote_cell_type": cell["cell_type"]}
            more = {"attachments": cell["attachments"]} if "attachments" in cell and part == parts[-1] else {}
            cells.append(cell_of(cell["cell_type"], part) | {"metadata": metadata} | more)
    link = "<a style='text-decoration:none' href='https://deepnote.com?utm_source=created'>\nCreated in Deepnote</a>"
    notebook |= {"cells": [*cells, cell_of("markdown", link)], "nbformat_minor": 0}
    notebook["metadata"] = {"deepnote": {}, "deepnote_notebook_id": "a1b2"}


# ---- habits ---------------------------------------------------------------------------------------------


def _managed(notebook: dict[str, Any], kind: str) -> list[int]:
    """Return the places of the cells in which students write, the last first: essays (markdown) or gaps (code)."""
    places = [
        place
        for place, cell in enumerate(notebook["cells"])
        if cell["cell_type"] == kind and cell["metadata"].get("nbgrader", {}).get("solution")
    ]
    return places[::-1]


def _stub(notebook: dict[str, Any]) -> str:
    return message(TEXT_STUB, notebook["metadata"]["workbook"]["language"])


def _written(notebook: dict[str, Any]) -> list[int]:
    return [p for p in _managed(notebook, "markdown") if notebook["cells"][p]["source"] != _stub(notebook)]


@habit
def all_answers_in_one_cell(notebook: dict[str, Any], rng: random.Random) -> None:
    cells, places = notebook["cells"], _managed(notebook, "markdown")
    texts = [cells[place]["source"] for place in _written(notebook)[::-1]]
    for place in places:
        cells[place]["source"] = _stub(notebook)
    if texts:
        cells[rng.choice(places)]["source"] = "\n\n".join(f"{n}) {text}" for n, text in enumerate(texts, start=1))


@habit
def answers_in_cells_of_code(notebook: dict[str, Any], rng: random.Random) -> None:
    for place in _written(notebook):
        text = notebook["cells"][place]["source"]
        commented = _marked("# ", text)
        printed = "\n".join(f"print({line!r})" for line in text.split("\n"))
        quoted = repr(text) if "\n" not in text else f'"""\n{text}\n"""'
        answer = cell_of("code", rng.choice((commented, printed, quoted, f"%%markdown\n{text}")))
        notebook["cells"][place]["source"] = _stub(notebook)
        notebook["cells"][place + rng.randrange(2) : place + 1] = [answer]


@habit
def questions_retyped_above_answers(notebook: dict[str, Any], rng: random.Random) -> None:
    cells = notebook["cells"]
    for place in _written(notebook):
        question = cells[place - 1]["source"]
        if rng.random() < 0.5:
            cells.insert(place, cell_of("markdown", question))
        else:
            cells[place]["source"] = "\n\n".join((question, cells[place]["source"]))


@habit
def answers_in_the_questions_cells(notebook: dict[str, Any], rng: random.Random) -> None:
    cells = notebook["cells"]
    for place in _written(notebook):
        cells[place - 1]["source"] += rng.choice((" ", "\n", "\n\n")) + cells[place]["source"]
        cells[place]["source"] = _stub(notebook)


@habit
def answers_split_into_raw_cells(notebook: dict[str, Any], rng: random.Random) -> None:
    for place in _written(notebook):
        first, *rest = notebook["cells"][place]["source"].split("\n\n")
        notebook["cells"][place]["source"] = first
        notebook["cells"][place + 1 : place + 1] = [cell_of(rng.choice(("raw", "markdown")), part) for part in rest]


@habit
def gaps_merged(notebook: dict[str, Any], rng: random.Random) -> None:
    cells, places = notebook["cells"], _managed(notebook, "code")
    for second, first in zip(places[::2], places[1::2], strict=False):
        both = "\n\n".join((cells[first]["source"], cells[second]["source"]))
        kept, dropped = rng.sample((first, second), 2)
        cells[kept]["source"] = both
        del cells[dropped]


@habit
def gaps_in_cells_of_their_own(notebook: dict[str, Any], rng: random.Random) -> None:
    for place in _managed(notebook, "code"):
        answer = notebook["cells"].pop(place)
        notebook["cells"].insert(place - rng.randrange(3), cell_of("code", answer["source"]))


@habit
def gaps_raw_or_fenced(notebook: dict[str, Any], rng: random.Random) -> None:
    for place in _managed(notebook, "code"):
        cell = notebook["cells"][place]
        raw = rng.random() < 0.5
        changed = cell_of("raw", cell["source"]) if raw else cell_of("markdown", f"```python\n{cell['source']}\n```")
        notebook["cells"][place] = changed | {"metadata": cell["metadata"], "id": cell["id"]}


@habit
def functions_cut(notebook: dict[str, Any], rng: random.Random) -> None:
    for place in _managed(notebook, "code"):
        lines = notebook["cells"][place]["source"].split("\n")
        at = sorted(rng.sample(range(1, len(lines)), min(2, len(lines) - 1)))
        parts = ["\n".join(lines[a:b]) for a, b in zip([0, *at], [*at, len(lines)], strict=True)]
        notebook["cells"][place]["source"] = parts[0]
        notebook["cells"][place + 1 : place + 1] = [cell_of("code", part) for part in parts[1:]]


@habit
def text_doubled(notebook: dict[str, Any], rng: random.Random) -> None:
    for cell in notebook["cells"]:
        cell["source"] *= rng.choice((1, 2)) if len(cell["source"]) > 40 else 1


@habit
def quotes_of_a_word_processor(notebook: dict[str, Any], rng: random.Random) -> None:
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            for plain, typed in (("'", "’"), (' "', " “"), ('"', "”"), ("...", "…"), (" - ", " – ")):
                cell["source"] = cell["source"].replace(plain, typed)


@habit
def spaces_at_the_ends_of_lines(notebook: dict[str, Any], rng: random.Random) -> None:
    for cell in notebook["cells"]:
        cell["source"] = rng.choice(("\r\n", "  \n", "\n")).join(cell["source"].split("\n"))


def _marked(sign: str, text: str) -> str:
    return "\n".join(f"{sign}{line}".rstrip() for line in text.split("\n"))


@habit
def cells_of_a_script(notebook: dict[str, Any], rng: random.Random) -> None:
    """As VS Code, PyCharm, Databricks or nbconvert write scripts, of which somebody has made cells again."""
    code, text = rng.choice(
        (
            ("# %%\n", "# %% [markdown]\n"),
            ("#%%\n", "#%% md\n"),
            ("", "# MAGIC %md\n"),
            ("", "%md\n"),
            ("# In[ ]:\n\n\n", ""),
        )
    )
    for place, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            cell["source"] = code + cell["source"]
        else:
            sign = "" if text == "%md\n" else "# MAGIC " if "MAGIC" in text else "# "
            changed = cell_of("code", text + _marked(sign, cell["source"]))
            notebook["cells"][place] = changed | {"metadata": cell["metadata"], "id": cell.get("id", "")}


@habit
def through_markdown_or_a_percent_script(notebook: dict[str, Any], rng: random.Random) -> None:
    form = rng.choice(("py:percent", "md", "md:myst", "Rmd", "py:nomarker"))
    bare = notebook | {"cells": [cell | {"metadata": {}} for cell in notebook["cells"]], "metadata": {}}
    back = jupytext.reads(jupytext.writes(as_node(bare), fmt=form), fmt=form)
    notebook |= {"metadata": {}, "cells": json.loads(json.dumps(back.cells))}
