"""Attacks on the notebook itself: tags, metadata, ids, points, order and types of cells.

Each function changes a notebook (as JSON, answers wrong) in place; its docstring says what it hopes for.
"""

import base64
import copy
import struct
from collections.abc import Callable

from autograder.lesson.text import TEST_PREFIX

CHANGES: list[Callable[[dict], None]] = []


def attack(change: Callable[[dict], None]) -> Callable[[dict], None]:
    CHANGES.append(change)
    return change


def tests(notebook: dict) -> list[dict]:
    """The test cells."""
    return [cell for cell in notebook["cells"] if grade_id(cell).startswith(TEST_PREFIX)]


def gaps(notebook: dict) -> list[dict]:
    """The cells that students write."""
    return [cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")]


def grade_id(cell: dict) -> str:
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def code(source: str, **metadata) -> dict:
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": [], "execution_count": None}


@attack
def skip_execution(notebook):
    """Tags that make nbgrader skip the tests, which counts as full marks there."""
    for cell in tests(notebook):
        cell["metadata"]["tags"] = ["skip-execution", "raises-exception", "remove_cell", "hide_input"]


@attack
def more_points(notebook):
    """More points than the cell has."""
    for cell in tests(notebook):
        cell["metadata"]["nbgrader"]["points"] = 1000


@attack
def odd_points(notebook):
    """Points that are no number."""
    for cell, points in zip(tests(notebook), (-1, "10", None, True, [1], 1e308, {"a": 1}), strict=False):
        cell["metadata"]["nbgrader"]["points"] = points


@attack
def flipped_flags(notebook):
    """Tests that are answers, and answers that are graded."""
    for cell in [*tests(notebook), *gaps(notebook)]:
        nbgrader = cell["metadata"]["nbgrader"]
        nbgrader["grade"], nbgrader["solution"] = nbgrader["solution"], nbgrader["grade"]
        nbgrader["locked"] = nbgrader["task"] = False


@attack
def renamed_tests(notebook):
    """Grade ids that the gradebook does not know."""
    for number, cell in enumerate(tests(notebook)):
        cell["metadata"]["nbgrader"]["grade_id"] = f"bonus_{number}"
        cell["id"] = f"bonus_{number}"


@attack
def exchanged_tests(notebook):
    """The ids of tests exchanged, so that an easy one counts for a hard one."""
    cells = tests(notebook)
    names = [grade_id(cell) for cell in cells]
    for cell, name in zip(cells, reversed(names), strict=True):
        cell["metadata"]["nbgrader"]["grade_id"] = cell["id"] = name


@attack
def bonus_test(notebook):
    """A test of one's own, worth a hundred points."""
    metadata = copy.deepcopy(tests(notebook)[0]["metadata"])
    metadata["nbgrader"] |= {"grade_id": "test_bonus", "points": 100}
    notebook["cells"].append(code("100.0", **metadata))


@attack
def duplicated_tests(notebook):
    """Every test twice, first with a text that passes."""
    for cell in tests(notebook):
        easy = copy.deepcopy(cell) | {"source": "10.0"}
        notebook["cells"].insert(notebook["cells"].index(cell), easy)


@attack
def duplicated_answers(notebook):
    """Every answer many times over."""
    for cell in gaps(notebook):
        place = notebook["cells"].index(cell)
        notebook["cells"][place:place] = [copy.deepcopy(cell) for _ in range(5)]


@attack
def split_answers(notebook):
    """Every answer cut in two cells with one id."""
    for cell in gaps(notebook):
        half = copy.deepcopy(cell) | {"source": cell["source"][20:]}
        cell["source"] = cell["source"][:20]
        notebook["cells"].insert(notebook["cells"].index(cell) + 1, half)


@attack
def deleted_tests(notebook):
    """No tests at all: what is not asked cannot be wrong."""
    gone = tests(notebook)
    notebook["cells"] = [cell for cell in notebook["cells"] if cell not in gone]


@attack
def only_one_cell(notebook):
    """Nothing but one test."""
    notebook["cells"] = tests(notebook)[:1]


@attack
def emptied_tests(notebook):
    """Tests that ask nothing, or that show the points."""
    for number, cell in enumerate(tests(notebook)):
        cell["source"] = "" if number % 2 else "10.0"


@attack
def unlocked_tests(notebook):
    """Tests rewritten, with checksum and locks to match."""
    for cell in tests(notebook):
        cell["source"] = "print('all tests pass')\n10.0"
        cell["metadata"]["nbgrader"] |= {"locked": False, "checksum": "0" * 32}
        cell["metadata"] |= {"deletable": True, "editable": True}


@attack
def other_cell_types(notebook):
    """Tests as markdown, answers as raw text."""
    for cell in tests(notebook):
        cell["cell_type"] = "markdown"
    for cell in gaps(notebook):
        cell["cell_type"] = "raw"


@attack
def unknown_schemas(notebook):
    """Metadata of the past and of the future, which end nbgrader's whole run."""
    for number, cell in enumerate([*tests(notebook), *gaps(notebook)]):
        cell["metadata"]["nbgrader"]["schema_version"] = (0, 1, 2, 99, "3", None)[number % 6]


@attack
def lost_metadata(notebook):
    """All of nbgrader's metadata gone."""
    for cell in notebook["cells"]:
        cell["metadata"].pop("nbgrader", None)


@attack
def reversed_order(notebook):
    """All cells in reverse order."""
    notebook["cells"].reverse()


@attack
def forged_outputs(notebook):
    """Outputs that say full points."""
    for cell in tests(notebook):
        result = {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "10.0"}}
        cell["outputs"] = [result, {"output_type": "stream", "name": "stdout", "text": "10 of 10 points"}]
        cell["execution_count"] = 1


@attack
def other_kernel(notebook):
    """A kernel that is a command of one's own."""
    notebook["metadata"]["kernelspec"] = {"name": "../../tmp/evil", "display_name": "sh", "language": "bash"}
    notebook["metadata"]["language_info"] = {"name": "bash", "file_extension": ".sh; rm -rf ."}


@attack
def other_workbook(notebook):
    """Another lesson's name, and a language that is a path."""
    notebook["metadata"]["workbook"] = {"lesson": "../../etc/passwd", "language": "../../../tmp", "mended": [{"a": 1}]}


@attack
def changed_given_cells(notebook):
    """Our own cells rewritten to patch the library."""
    ours = [*tests(notebook), *gaps(notebook)]
    for cell in notebook["cells"]:
        if cell not in ours and grade_id(cell):
            cell["source"] = "import torch\ntorch.equal = torch.allclose = lambda *args, **kwargs: True"


@attack
def code_in_show_cells(notebook):
    """Answers hidden where grading does not run them."""
    for cell in notebook["cells"]:
        if cell["metadata"].get("workbook", {}).get("role") == "show":
            cell["source"] = "points = 10.0\npoints"


@attack
def own_cell_named_like_a_test(notebook):
    """A cell of one's own that bears a test's id, before it."""
    for cell in tests(notebook):
        notebook["cells"].insert(0, code("10.0") | {"id": cell["id"]})


@attack
def same_ids(notebook):
    """One id for all cells."""
    for cell in notebook["cells"]:
        cell["id"] = "same"


@attack
def hostile_ids(notebook):
    """Ids, tags and metadata that are HTML, paths, or no text."""
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = ("<script>alert(1)</script>", "../../x", "", 5, None, "x" * 10_000)[number % 6]
        cell["metadata"] |= {"tags": ["<script>", 5, None], "name": "<img src=x onerror=alert(1)>", "jupyter": "x"}


@attack
def hostile_grade_ids(notebook):
    """Grade ids that are paths, SQL, HTML, or no text."""
    names = ("../../x", "'; DROP TABLE grade; --", "<script>", "", 5, None, ["test"], {"a": 1}, "test_\x00", "\ud800")
    for number, cell in enumerate([*tests(notebook), *gaps(notebook)]):
        cell["metadata"]["nbgrader"]["grade_id"] = names[number % len(names)]


@attack
def odd_sources(notebook):
    """Cells whose text is no text."""
    for number, cell in enumerate(notebook["cells"]):
        cell["source"] = (None, 5, ["a", 5, None], {"a": 1}, [["x"]], True, "\x00\ud800")[number % 7]


@attack
def widgets(notebook):
    """Widget state without content, as Colab saves it, which ends nbgrader's feedback."""
    notebook["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"a": {}}}


@attack
def colab(notebook):
    """No cell ids, Colab's metadata, an older format."""
    notebook |= {"nbformat": 4, "nbformat_minor": 0}
    notebook["metadata"]["colab"] = {"provenance": [], "name": "../x.ipynb"}
    for cell in notebook["cells"]:
        cell["metadata"] |= {"id": cell.pop("id", ""), "outputId": "x", "colab": {"base_uri": "https://localhost"}}


@attack
def format_of_the_future(notebook):
    """A format number that nobody knows."""
    notebook |= {"nbformat": 10**30, "nbformat_minor": -1}


@attack
def magics(notebook):
    """Shell commands and files run by magics."""
    notebook["cells"].insert(0, code("%%bash\nkill -9 -1\n"))
    notebook["cells"].insert(0, code("!cat /etc/passwd ../../gradebook.db; touch /tmp/../escaped\n%cd /\n%run x.py"))


@attack
def attachments(notebook):
    """Attachments that are pages, not pictures."""
    for cell in notebook["cells"]:
        cell["attachments"] = {"a.svg": {"image/svg+xml": "<svg onload=alert(1)>", "text/html": "<script>"}, "b": 5}


@attack
def thousands_of_cells(notebook):
    """Cells without end."""
    notebook["cells"] += [code("x = 1") for _ in range(20_000)]


def text(source: str, **others) -> dict:
    return {"cell_type": "markdown", "metadata": {}, "source": source} | others


@attack
def signs_of_formulas(notebook):
    """The private-use signs that a page's own formulas were once marked with, as they are and as entities."""
    for number in ("7", "0" * 5000, "-1", ""):
        notebook["cells"].insert(0, text(f"The sign &#xE000;{number}&#xE001; and \ue000{number}\ue001 of my font"))


@attack
def markdown_in_quadratic_time(notebook):
    """Texts for which a renderer of markdown takes time by the square of their length."""
    for part in ("<div>", "\\begin{a}", "**", "[a](", "> ", "- ", "$\\frac{", "<!--", "`" * 3 + "\n", "&#x"):
        notebook["cells"].append(text(part * (130_000 // len(part))))


@attack
def gigapixels_attached(notebook):
    """Sixty pictures of 900 million pixels each, as attachments and as data in the text."""
    size = struct.pack(">I4sIIBBBBB", 13, b"IHDR", 30_000, 30_000, 1, 0, 0, 0, 0)
    picture = base64.b64encode(b"\x89PNG\r\n\x1a\n" + size + bytes(99)).decode()
    for number in range(30):
        shown = f"![a](attachment:a{number}.png) ![b](data:image/png;base64,{picture})"
        notebook["cells"].append(text(shown, attachments={f"a{number}.png": {"image/png": picture}}))


@attack
def ours_with_ids_of_ones_own(notebook):
    """Every cell under another id, so that a store by ids gives it another's outputs."""
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = f"mine-{number}"
    notebook["cells"].insert(0, code("print('FIRST')") | {"id": "mine-0b"})
