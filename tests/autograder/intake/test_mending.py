"""What intake says of every mending, and the bounds of what it reads: the last that is taken, the first that is not."""

import json
import os

import pytest

from autograder.common.course import Course
from autograder.common.paths import MAX_BYTES
from autograder.intake.errors import Refused
from autograder.intake.notebook import take_in, take_in_bytes, take_in_submission
from autograder.intake.plain import MAX_CELLS, MAX_SOURCE, MAX_SOURCES, bytes_of
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.release import release_notebook
from autograder.lesson.text import write_notebook
from tests.autograder.intake.test_intake import ATTENTION, LESSON, cell_of, take

SOLUTION, GIVEN = next(iter(ATTENTION.solutions)), "imports"
TEST = ATTENTION.tests[SOLUTION].grade_id
ESSAY = next(iter(ATTENTION.essays))


@pytest.fixture
def notebook() -> dict:
    """A blank submission, as JSON."""
    return json.loads(write_notebook(compose(ATTENTION, blank=True)))


def notes(notebook: dict) -> list[str]:
    return [message.render() for message in take(notebook).mended]


def text_of(notebook: dict, name: str) -> str:
    return "".join(cell_of(notebook, name)["source"])


def without(notebook: dict, name: str) -> dict:
    return notebook | {"cells": [cell for cell in notebook["cells"] if cell is not cell_of(notebook, name)]}


@pytest.mark.parametrize("name", [GIVEN, TEST])
def test_a_cell_of_ours_that_stood_there_twice_is_put_back_once_and_said(notebook, name):
    once = text_of(notebook, name)
    notebook["cells"].append(cell_of(notebook, name) | {"source": "x = 1"})
    assert notes(notebook) == [f"The cell {name} was there twice."]
    found = [c for c in take(notebook).notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == name]
    assert [cell.source for cell in found] == [once]


@pytest.mark.parametrize("name", [GIVEN, TEST])
def test_a_cell_of_ours_that_is_missing_or_changed_is_put_back_and_said(notebook, name):
    right = text_of(notebook, name)
    assert notes(without(notebook, name)) == [f"The cell {name} was missing and was put back."]
    cell_of(notebook, name)["source"] = f"  {right}\n"
    assert notes(notebook) == []
    cell_of(notebook, name)["source"] = right + "\nx = 1"
    assert notes(notebook) == [f"The cell {name} had been changed and was restored."]
    assert cell_of(take(notebook).notebook, name)["source"] == right


def test_an_answer_that_is_missing_copied_or_of_another_type_is_said(notebook):
    blank = text_of(notebook, SOLUTION)
    assert notes(without(notebook, SOLUTION)) == [f"The cell {SOLUTION} was missing; it counts as empty."]
    assert cell_of(take(without(notebook, SOLUTION)).notebook, SOLUTION)["source"] == blank
    cell = cell_of(notebook, SOLUTION)
    twice = notebook | {"cells": [*notebook["cells"], cell | {"source": "a = 1"}, cell | {"source": "b = 2"}]}
    assert notes(twice) == [f"The cell {SOLUTION} was there 3 times and was joined."]
    assert cell_of(take(twice).notebook, SOLUTION)["source"] == f"{blank}\n\na = 1\n\nb = 2"
    twice["cells"].pop()
    assert notes(twice) == [f"The cell {SOLUTION} was there 2 times and was joined."]
    cell |= {"cell_type": "markdown", "source": "a = 1"}
    assert notes(notebook) == [f"The type of the cell {SOLUTION} had been changed and was restored."]
    answer = cell_of(take(notebook).notebook, SOLUTION)
    assert (answer["cell_type"], answer["source"]) == ("code", "a = 1")


def test_marks_that_were_put_back_on_are_said(notebook):
    for cell in [cell_of(notebook, name) for name in (SOLUTION, TEST)]:
        del cell["metadata"], cell["id"]
    (note,) = notes(notebook)
    assert note == (
        f"The labels that nbgrader needs had been lost (by an editor) and were restored in: {SOLUTION}, {TEST}."
    )


def test_a_mark_is_found_in_any_of_its_three_places(notebook):
    for name, metadata in ((SOLUTION, {"id": SOLUTION}), (TEST, {"nbgrader": {"grade_id": TEST}}), (GIVEN, {})):
        cell = cell_of(notebook, name)
        cell["metadata"] = metadata
        cell["source"] = "x = 1"
        cell["id"] = GIVEN if name == GIVEN else "other"
    taken = take(notebook)
    assert cell_of(taken.notebook, SOLUTION)["source"] == "x = 1"
    assert [message.render() for message in taken.mended] == [
        f"The cell {name} had been changed and was restored." for name in (GIVEN, TEST)
    ]


def test_own_cells_stay_behind_the_cell_that_they_stood_behind(notebook):
    own = [{"cell_type": "code", "metadata": {}, "source": f"own = {n}", "outputs": []} for n in range(4)]
    places = [notebook["cells"].index(cell_of(notebook, name)) for name in (GIVEN, TEST)]
    for cell, place in ((own[3], places[1]), (own[2], places[1]), (own[1], places[0])):
        notebook["cells"].insert(place + 1, cell)
    notebook["cells"].insert(0, own[0])
    sources = [cell.source for cell in take(notebook).notebook.cells]
    ours = [text_of(notebook, name) for name in (GIVEN, TEST)]
    at = [sources.index(f"own = {n}") for n in range(4)]
    assert at[0] == 0 and sources[at[1] - 1] == ours[0] and at[3] == at[2] + 1
    assert sources[at[2] - 1] == ours[1]


def test_every_id_is_there_once_and_fits(notebook):
    long = "x" * 64
    for _ in range(4):
        notebook["cells"].append({"cell_type": "code", "metadata": {}, "id": long, "source": "1", "outputs": []})
        notebook["cells"].append({"cell_type": "code", "metadata": {}, "id": SOLUTION + "x", "source": "2"})
    prose = [cell["id"] for cell in notebook["cells"] if cell["cell_type"] == "markdown" and not cell["metadata"]]
    for _ in range(3):
        notebook["cells"].append({"cell_type": "markdown", "metadata": {}, "id": prose[0], "source": "again"})
    notebook["cells"].append({"cell_type": "code", "metadata": {}, "id": prose[1], "source": "3"})
    cells = take(notebook).notebook.cells
    ids = [cell.id for cell in cells]
    assert ids[-1].startswith("own-")  # a code cell is none of our prose, whatever it says
    assert len(set(ids)) == len(ids) and max(map(len, ids)) <= 64
    assert [one for one in ids if one.startswith(prose[0])] == [prose[0], *(f"{prose[0]}-{n}" for n in (2, 3, 4))]


def test_what_is_kept_of_a_notebook_is_the_releases(notebook):
    notebook["metadata"] |= {"widgets": {"a": 1}, "kernelspec": {"name": "evil"}}
    notebook["metadata"]["workbook"] = {"language": "zh", "lesson": "other"}
    taken = take(notebook)
    assert taken.language == "zh"
    assert taken.notebook.metadata == release_notebook(ATTENTION).metadata | {
        "workbook": {"language": "zh", "lesson": LESSON}
    }
    assert (taken.notebook.nbformat, taken.notebook.nbformat_minor) == (4, 5)


@pytest.mark.parametrize("language", ["de", 7, None, ["fr"]])
def test_another_language_is_english(notebook, language):
    notebook["metadata"]["workbook"] = {"language": language}
    assert take(notebook).language == "en"


@pytest.mark.parametrize("language", ["en", "fr", "zh"])
def test_a_refusal_is_in_the_notebooks_language(language):
    taken = take({"cells": [{"cell_type": "code", "source": "x"}], "metadata": {"workbook": {"language": language}}})
    assert taken.notebook.cells[0].source == f"**{taken.refused.render(language)}**"
    assert taken.language == language


def many(number: int) -> dict:
    return {"cell_type": "code", "metadata": {}, "source": f"own = {number}", "outputs": []}


def test_a_thousand_cells_are_read_and_no_more(notebook):
    assert MAX_CELLS == 1000
    here = len(notebook["cells"])
    full = notebook | {"cells": notebook["cells"] + [many(n) for n in range(1000 - here)]}
    assert notes(full) == []
    full["cells"].append(many(1000))
    taken = take(full)
    assert [message.render() for message in taken.mended] == ["Only the first 1000 cells were read."]
    assert len(taken.notebook.cells) == 1000
    assert not any(cell.source == "own = 1000" for cell in taken.notebook.cells)


def test_two_hundred_thousand_characters_of_a_cell_are_read_and_two_million_of_all(notebook):
    assert (MAX_SOURCE, MAX_SOURCES) == (200_000, 2_000_000)
    here = sum(len("".join(cell["source"])) for cell in notebook["cells"])
    cell = {"cell_type": "code", "metadata": {}, "outputs": []}
    longest = [cell | {"source": "#" * 200_000}] * 9
    rest = 2_000_000 - 9 * 200_000 - here
    assert notes(notebook | {"cells": [*notebook["cells"], *longest, cell | {"source": "#" * rest}]}) == []
    over = notebook | {"cells": [*notebook["cells"], *longest, cell | {"source": "#" * (rest + 1)}]}
    assert notes(over) == ["Only the first 2000000 characters were read."]
    notebook["cells"].append(cell | {"source": "#" * 200_001})
    assert take(notebook).notebook.cells[-1].source == "#" * 200_000


def test_a_file_is_as_large_as_allowed_and_no_larger(tmp_path):
    assert MAX_BYTES == 50 * 2**20
    path = tmp_path / "large.ipynb"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES)
    assert len(bytes_of(path)) == MAX_BYTES
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(Refused) as refused:
        bytes_of(path)
    assert refused.value.message.render().startswith("Your file is too large (50 MB, at most 50)")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: path.symlink_to("/etc/hostname"), "a link to another place"),
        (lambda path: path.mkdir(), "What was handed in is not a file."),
        (lambda path: os.mkfifo(path), "What was handed in is not a file."),
        (lambda path: None, "Your file could not be read (No such file or directory)."),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path, make, says):
    make(tmp_path / "x.ipynb")
    assert says in take_in(tmp_path / "x.ipynb", ATTENTION).refused.render()


def test_bytes_that_are_no_utf_8_and_zero_bytes_are_said(notebook):
    text = json.dumps(notebook, ensure_ascii=False)
    said = lambda content: [message.render() for message in take_in_bytes(content, ATTENTION).mended]  # noqa: E731
    assert said(text.encode("utf-8-sig")) == []
    assert said(text.encode("utf-16")) == ["The file was not in UTF-8; unreadable characters were replaced."]
    assert said(text.replace("cells", "cel\x00ls").encode()) == ["Zero bytes were removed from the file."]
    assert "line 3 is not valid JSON" in take_in_bytes(b'{\n"a": 1,\n"b"', ATTENTION).refused.render()


def test_an_old_notebooks_cells_are_read(notebook):
    cells = [cell | {"input": cell["source"]} for cell in notebook["cells"]]
    for cell in cells:
        del cell["source"]
    sheets = [{"cells": cells[:5]}, "x", {"cells": 7}, {"cells": cells[5:]}]
    taken = take({"metadata": notebook["metadata"], "worksheets": sheets})
    assert [message.render() for message in taken.mended] == ["The notebook was in an old format and was converted."]
    assert [cell.source for cell in taken.notebook.cells] == [cell.source for cell in release_notebook(ATTENTION).cells]


def test_odd_sources_are_text_or_nothing(notebook):
    for source, text in ((["a", 7, "b"], "ab"), (7, ""), ("a\ud800b", "a?b"), (None, "")):
        cell_of(notebook, SOLUTION)["source"] = source
        assert text_of(take(notebook).notebook, SOLUTION) == (text or text_of(release_notebook(ATTENTION), SOLUTION))


def test_attached_pictures_of_an_answer_are_kept_and_what_is_none_is_not(notebook):
    kept = {"image/png": "iVBORw0KGgo=", "image/jpeg": "/9j/4AAQ\n", "image/gif": "R0lG"}
    cell = cell_of(notebook, ESSAY)
    cell["source"] = "see the picture"
    cell["attachments"] = {
        "x" * 101: kept | {"image/svg+xml": "PHN2Zz4=", "image/tiff": "SUkq"},
        "bad": {"image/png": 'x" onerror="1'},
        "odd": "text",
        "number": {"image/png": 7},
    }
    assert cell_of(take(notebook).notebook, ESSAY)["attachments"] == {"x" * 100: kept}


def test_another_cell_in_a_raw_form_is_shown_as_text(notebook):
    notebook["cells"].append({"cell_type": "raw", "metadata": {}, "source": "<b>x</b>"})
    assert take(notebook).notebook.cells[-1].source == "```\n<b>x</b>\n```"


def test_a_link_to_another_students_folder_is_refused(tmp_path):
    path = hand_in(compose(ATTENTION), Course(tmp_path), "ada", LESSON)
    (tmp_path / "submitted" / "eve").symlink_to("ada")
    assert take_in_submission(path, ATTENTION).refused is None
    linked = take_in_submission(tmp_path / "submitted" / "eve" / LESSON / path.name, ATTENTION)
    assert "a link to another place" in linked.refused.render()


def test_what_lies_beside_a_notebook_is_told_to_the_instructor(tmp_path):
    path = hand_in(compose(ATTENTION), Course(tmp_path), "ada", LESSON)
    assert take_in_submission(path, ATTENTION).flags == []
    for number in range(4):
        path.with_name(f"copy{number}.IPYNB").write_text("{}")
    path.with_name("timestamp.txt").write_text("soon")
    wrong, others = take_in_submission(path, ATTENTION).flags
    assert wrong.startswith("timestamp.txt has no readable time")
    assert others == ("other notebooks are beside it and were not graded: 'copy0.IPYNB', 'copy1.IPYNB', 'copy2.IPYNB'")
