"""No answer is lost: an answer is what a person would see as one, wherever it stands in the notebook."""

import copy
import json
from itertools import pairwise

import pytest

from autograder.common.course import WORKBOOK
from autograder.common.nodes import answer_hash, as_node, grade_id
from autograder.gradebook.pages import Page
from autograder.intake.cutting import pieces_of
from autograder.intake.known import Known, lines_of, says_only
from autograder.intake.notebook import Taken, take_in_bytes
from autograder.intake.prose import letters, prose_of
from autograder.lesson.compose import compose
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson
from autograder.lesson.translation import LANGUAGES, TEXT_STUB, message, translate_notebook
from tests.autograder.intake.test_intake import ATTENTION, cell_of, take

ESSAY, ANSWER = "why_position", "Because a layer alone does not know places."
STUB = "def update(model, optimizer, inputs, targets):\n    raise NotImplementedError"
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
OTHER_ESSAYS = {name: f"My answer to {name}." for name in ATTENTION.essays if name != ESSAY}


def solved(language: str = "en") -> dict:
    """A solved notebook whose last essay is empty, as JSON with a source of one text."""
    notebook = compose(ATTENTION, {ESSAY: TEXT_STUB} | OTHER_ESSAYS)
    notebook = translate_notebook(notebook, language, ATTENTION)
    return json.loads(json.dumps(notebook))


@pytest.fixture
def notebook() -> dict:
    return solved()


def own(kind: str, source: str) -> dict:
    cell = {"cell_type": kind, "metadata": {}, "source": source}
    return cell | ({"outputs": [], "execution_count": None} if kind == "code" else {})


def place_of(notebook: dict, name: str) -> int:
    return notebook["cells"].index(cell_of(notebook, name))


def below(notebook: dict, name: str, *cells: dict) -> None:
    place = place_of(notebook, name) + 1
    notebook["cells"][place:place] = cells


def without_labels(notebook: dict) -> dict:
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        cell.pop("id", None)
    return notebook


def answer(notebook: dict, name: str = ESSAY) -> str:
    return cell_of(take(notebook).notebook, name)["source"]


def notes(notebook: dict) -> list[str]:
    return [note.render() for note in take(notebook).mended]


def code_of(taken: Taken) -> list[str]:
    """What runs: the sources of all cells of code, in order."""
    return [cell.source for cell in taken.notebook.cells if cell.cell_type == "code"]


SOLVED_CODE = code_of(take(solved()))


# ---- essays -----------------------------------------------------------------------------------------------

PUTS = {
    "below, as markdown": lambda nb: below(nb, ESSAY, own("markdown", ANSWER)),
    "below, raw": lambda nb: below(nb, ESSAY, own("raw", ANSWER)),
    "below, as code that is text": lambda nb: below(nb, ESSAY, own("code", ANSWER)),
    "below, as a comment": lambda nb: below(nb, ESSAY, own("code", f"# {ANSWER}")),
    "below, as a string": lambda nb: below(nb, ESSAY, own("code", f'"""{ANSWER}"""')),
    "below, printed": lambda nb: below(nb, ESSAY, own("code", f"print({ANSWER!r})")),
    "below, as Databricks marks text": lambda nb: below(nb, ESSAY, own("code", f"%md\n{ANSWER}")),
    "below, as VS Code's scripts mark text": lambda nb: below(nb, ESSAY, own("code", f"# %% [markdown]\n# {ANSWER}")),
    "below, as Databricks' scripts mark text": lambda nb: below(
        nb, ESSAY, own("code", f"# MAGIC %md\n# MAGIC {ANSWER}")
    ),
    "below, as PyCharm marks text": lambda nb: below(nb, ESSAY, own("markdown", f"#%% md\n{ANSWER}")),
    "in place of the cell": lambda nb: nb["cells"].__setitem__(place_of(nb, ESSAY), own("markdown", ANSWER)),
    "above the stub": lambda nb: nb["cells"].insert(place_of(nb, ESSAY), own("markdown", ANSWER)),
    "in the cell of the question": lambda nb: extend(nb, place_of(nb, ESSAY) - 1, f"\n\n**My answer:** {ANSWER}"),
    "in the last line of the question": lambda nb: extend(nb, place_of(nb, ESSAY) - 1, f" {ANSWER}"),
    "above the heading of the next cell": lambda nb: prepend(nb, place_of(nb, ESSAY) + 1, f"{ANSWER}\n\n"),
    "between the question's words": lambda nb: replace(nb, place_of(nb, ESSAY) - 1, " (b) ", f" {ANSWER} (b) "),
    "in place of the question": lambda nb: nb["cells"][place_of(nb, ESSAY) - 1].update(source=ANSWER),
}


def extend(notebook: dict, place: int, text: str) -> None:
    notebook["cells"][place]["source"] += text


def prepend(notebook: dict, place: int, text: str) -> None:
    notebook["cells"][place]["source"] = text + notebook["cells"][place]["source"]


def replace(notebook: dict, place: int, old: str, new: str) -> None:
    assert old in notebook["cells"][place]["source"]
    notebook["cells"][place]["source"] = notebook["cells"][place]["source"].replace(old, new)


@pytest.mark.parametrize("put", PUTS.values(), ids=PUTS.keys())
@pytest.mark.parametrize("labels", ["labels", "no labels"])
def test_an_essay_is_found_wherever_a_person_would_see_it(notebook, put, labels):
    if labels == "no labels" and put is PUTS["in place of the question"]:
        pytest.skip("nothing says of what question this text is the answer")
    put(notebook)
    notebook = notebook if labels == "labels" else without_labels(notebook)
    assert ANSWER in answer(notebook)
    assert {name: answer(notebook, name) for name in OTHER_ESSAYS} == OTHER_ESSAYS
    assert [code for code in code_of(take(notebook)) if ANSWER not in code] == SOLVED_CODE


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "put", ["below, as markdown", "in the cell of the question", "in the last line of the question"]
)
def test_an_essay_is_found_in_every_language_and_the_language_without_metadata(language, put):
    notebook = solved(language)
    PUTS[put](notebook)
    notebook["metadata"] = {}
    taken = take(without_labels(notebook))
    assert taken.language == language
    assert ANSWER in cell_of(taken.notebook, ESSAY)["source"]


def test_the_language_is_known_where_all_prose_is_in_one_cell():
    notebook = solved("fr")
    prose = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    notebook |= {"cells": [own("markdown", "\n\n".join(prose)), *code], "metadata": {}}
    taken = take(without_labels(notebook))
    assert taken.language == "fr"
    assert {name: cell_of(taken.notebook, name)["source"] for name in OTHER_ESSAYS} == OTHER_ESSAYS


@pytest.mark.parametrize("put", [put for put in PUTS if "mark" in put or put == "below, printed"])
def test_an_answer_is_shown_without_the_marks_of_the_code_around_it(notebook, put):
    PUTS[put](notebook)
    assert answer(notebook) == ANSWER


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_essay_stays_empty_whatever_was_lost(language):
    notebook = solved(language)
    cell_of(notebook, ESSAY)["source"] = message(TEXT_STUB, language)
    assert answer(notebook) == answer(without_labels(notebook)) == TEXT_STUB


def test_parts_of_an_essay_are_joined_with_their_pictures(notebook):
    for color in ("red", "blue"):
        picture = {"image.png": {"image/png": color}}
        below(notebook, ESSAY, own("markdown", f"{color}: ![](attachment:image.png)") | {"attachments": picture})
    cell = cell_of(take(notebook).notebook, ESSAY)
    assert cell["source"] == "blue: ![](attachment:image.png)\n\nred: ![](attachment:2-image.png)"
    assert {name: picture["image/png"] for name, picture in cell["attachments"].items()} == {
        "image.png": "blue",
        "2-image.png": "red",
    }


def test_a_picture_that_is_written_into_the_text_is_kept_whatever_its_size(notebook):
    picture = DOT[:-2] * 5000  # longer than a cell's text may be
    cell_of(notebook, ESSAY)["source"] = f"![my drawing](data:image/png;base64,{picture})\n\nAnd so on."
    cell = cell_of(take(notebook).notebook, ESSAY)
    assert cell["source"] == "![my drawing](attachment:picture-1)\n\nAnd so on."
    assert cell["attachments"] == {"picture-1": {"image/png": picture}}


@pytest.mark.parametrize(
    "text",
    [
        '<img src="attachment:image.png" width="300"/>',
        f"My drawing: <img alt='x' src='data:image/png;base64,{DOT}'>",
        f"![][image1]\n\n[image1]: <data:image/png;base64,{DOT}>",
        "![my image](attachment:my%20image.png)",
    ],
)
def test_a_picture_is_an_answer_and_is_shown_however_an_editor_wrote_it(notebook, text):
    picture = {"image/png": DOT}
    cell_of(notebook, ESSAY).update(source=text, attachments={"image.png": picture, "my image.png": picture})
    cell = cell_of(take(notebook).notebook, ESSAY)
    assert f'src="data:image/png;base64,{DOT}"' in Page().rendered(cell["source"], cell["attachments"])


@pytest.mark.parametrize("form", ["png", "jpeg", "gif", "webp"])
def test_a_picture_in_each_format_that_can_be_shown_stays(notebook, form):
    cell_of(notebook, ESSAY).update(source="![](attachment:a)", attachments={"a": {f"image/{form}": DOT}})
    assert cell_of(take(notebook).notebook, ESSAY)["attachments"] == {"a": {f"image/{form}": DOT}}


def test_a_picture_that_cannot_be_shown_is_said(notebook):
    """A drawing in SVG may hold a script; the person who marks has to know that something was there."""
    cell_of(notebook, ESSAY).update(source="![](attachment:a)", attachments={"a": {"image/svg+xml": ["<svg/>"]}})
    (said,) = [note for note in notes(notebook) if "format that is not shown" in note]
    assert said.endswith(": 1.")
    assert answer(notebook) == "![](attachment:a)"  # so a person reads it


@pytest.mark.parametrize("labels", ["labels", "no labels"])
@pytest.mark.parametrize("text", ["∞", "👍", "<svg><path d='M0 0L9 9'/></svg>", "<!-- 17 -->", '<img src="17.png">'])
def test_signs_and_drawings_alone_are_an_answer(notebook, text, labels):
    cell_of(notebook, ESSAY)["source"] = text
    assert answer(notebook if labels == "labels" else without_labels(notebook)) == text


@pytest.mark.parametrize(
    ("text", "language", "encoding"),
    [
        ("因为每个头看的东西不一样，所以合起来看得更多。", "zh", "gb18030"),
        ("Parce qu’à l’été, « chaque tête » a sa clé.", "fr", "cp1252"),
        ("Parce qu’à l’été, « chaque tête » a sa clé.", "fr", "utf-16-le"),
    ],
)
def test_an_essay_is_read_in_the_encoding_of_an_old_editor(text, language, encoding):
    notebook = solved(language)
    cell_of(notebook, ESSAY)["source"] = text
    content = json.dumps(notebook, ensure_ascii=False).encode(encoding, errors="replace")
    assert cell_of(take_in_bytes(content, ATTENTION).notebook, ESSAY)["source"] == text


def test_a_few_damaged_bytes_cost_no_other_letter():
    notebook = solved("fr")
    cell_of(notebook, ESSAY)["source"] = "L’été, déjà."
    content = json.dumps(notebook, ensure_ascii=False).encode().replace("déjà".encode(), b"d\xe9j\xe0")
    assert cell_of(take_in_bytes(content, ATTENTION).notebook, ESSAY)["source"] == "L’été, d\ufffdj\ufffd."


@pytest.mark.parametrize(("kind", "sign"), [("markdown", ""), ("raw", ""), ("code", "# "), ("code", "")])
def test_an_empty_essay_beside_other_text_of_the_student_waits_for_a_person_who_sees_that_text(notebook, kind, sign):
    notebook["cells"].insert(5, own(kind, sign + ANSWER))
    source = answer(notebook)
    assert source.startswith("*There was no answer in this cell.") and source.endswith(ANSWER)
    assert notes(notebook) == [f"The answer to {ESSAY} was empty; a person will read the other text in the notebook."]
    cell_of(notebook, ESSAY)["source"] = "Mine."
    assert answer(notebook) == "Mine." and notes(notebook) == []


@pytest.mark.parametrize("place", [0, -1])
def test_where_one_cell_has_the_answers_to_all_questions_none_counts_as_empty_for_good(notebook, place):
    for name in ATTENTION.essays:
        cell_of(notebook, name)["source"] = TEXT_STUB
    answered = list(ATTENTION.essays)[place]
    cell_of(notebook, answered)["source"] = "1) Mine.\n\n2) Too.\n\n3) Also."
    assert all("2) Too." in answer(notebook, name) for name in ATTENTION.essays)
    cell_of(notebook, answered)["source"] = "One line answers one question."
    assert [name for name in ATTENTION.essays if answer(notebook, name) != TEXT_STUB] == [answered]


def test_a_picture_elsewhere_is_shown_in_an_empty_answer(notebook):
    drawn = own("markdown", "![](attachment:a.png)") | {"attachments": {"a.png": {"image/png": DOT}}}
    notebook["cells"].insert(5, drawn)
    cell = cell_of(take(notebook).notebook, ESSAY)
    assert "![](attachment:a.png)" in cell["source"] and cell["attachments"] == drawn["attachments"]


def test_a_short_comment_that_was_split_from_the_students_code_is_no_answer(notebook):
    notebook["cells"][5:5] = [own("code", "# a try"), own("code", "print(2 + 2)")]
    assert answer(notebook) == TEXT_STUB


@pytest.mark.parametrize(
    "text",
    [
        "<a style='x' href='https://deepnote.com'>\nCreated in Deepnote</a>",
        '<a href="https://colab.research.google.com/x"><img src="badge.svg"/></a>',
        "In[ ]:",
        "---",
        "# @title The workbook's modules\nimport base64\nlzma.decompress(b'')",
    ],
)
def test_what_a_tool_adds_is_no_text_of_the_student(notebook, text):
    kind = "code" if text.startswith("# @title") else "markdown"
    notebook["cells"] = [own(kind, text), *notebook["cells"], own(kind, text)]
    below(notebook, ESSAY, own(kind, text))
    assert answer(notebook) == TEXT_STUB


def test_a_changed_word_in_the_lessons_prose_is_no_text_of_the_student(notebook):
    cell = notebook["cells"][place_of(notebook, ESSAY) + 1]
    cell["source"] = cell["source"].replace("fixed", "fixd")
    assert answer(notebook) == answer(without_labels(notebook)) == TEXT_STUB


def test_a_short_answer_with_words_of_the_prose_that_was_merged_with_it_is_an_answer(notebook):
    cells, place = notebook["cells"], place_of(notebook, ESSAY)
    prose = next(
        cell for cell in cells[place - 2 :: -1] if cell["cell_type"] == "markdown" and len(cell["source"]) > 300
    )
    words = next(a + " " + b for a, b in pairwise(prose["source"].split()) if 9 <= len(letters(a + b)) <= 12)
    prose["source"] = "\n\n".join([prose["source"], cells[place - 1]["source"], f"{words}!"])
    cells[cells.index(prose) + 1 : place + 1] = []
    assert answer(notebook) == f"{words}!"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_no_line_of_any_lessons_prose_is_a_students_text(name, language):
    lesson = Lesson.load(name, WORKBOOK)
    shown = translate_notebook(release_notebook(lesson), language, lesson)
    cells = [as_node(own("markdown", c.source) | {"id": "x"}) for c in shown.cells if c.cell_type == "markdown"]
    proses = [prose_of(lesson, code) for code in dict.fromkeys((language, "en"))]
    assert [piece.source for piece in pieces_of(cells, Known.of(lesson), proses) if piece.is_own()] == []


def test_a_quotation_of_the_lesson_in_an_answer_stays(notebook):
    prose = next(c["source"] for c in notebook["cells"] if c["cell_type"] == "markdown" and len(c["source"]) > 600)
    quoted = prose.split("\n")[-1]
    cell_of(notebook, ESSAY)["source"] = f"The lesson says:\n\n> {quoted}\n\nSo it is."
    assert answer(notebook) == answer(without_labels(notebook)) == f"The lesson says:\n\n> {quoted}\n\nSo it is."


def test_the_hash_of_an_answer_is_the_same_with_and_without_labels(notebook):
    cell_of(notebook, ESSAY)["source"] = f"(a) Yes.\n\n- {ANSWER}\n"
    hashes = [answer_hash(cell_of(take(one).notebook, ESSAY)) for one in (notebook, without_labels(notebook))]
    assert hashes[0] == hashes[1]


# ---- code -------------------------------------------------------------------------------------------------


def gap(notebook: dict, name: str) -> dict:
    return cell_of(notebook, name)


def split(notebook: dict, name: str, text: str, comment: str = "") -> None:
    first, between, second = gap(notebook, name)["source"].partition(text)
    gap(notebook, name)["source"] = first.rstrip("\n")
    below(notebook, name, own("code", comment + between + second))


def merge(notebook: dict, first: str, *others: str) -> None:
    for name in others:
        gap(notebook, first)["source"] += "\n\n" + gap(notebook, name)["source"]
        notebook["cells"].remove(gap(notebook, name))


def move_out(notebook: dict, name: str, target: str, stub: str = "") -> None:
    """Move a gap's code into a cell of the student's own below another cell."""
    code = gap(notebook, name)["source"]
    if stub:
        gap(notebook, name)["source"] = stub
    else:
        notebook["cells"].remove(gap(notebook, name))
    below(notebook, target, own("code", code))


def as_raw(notebook: dict, name: str, fence: str = "") -> None:
    cell = gap(notebook, name)
    cell |= {"cell_type": "raw", "source": f"{fence}{cell['source']}{fence and chr(10) + '```'}"}


def double(notebook: dict, name: str, times: int = 2) -> None:
    gap(notebook, name)["source"] *= times


def unlabelled(notebook: dict, name: str) -> None:
    gap(notebook, name).update(metadata={}, id="x")


# Cells without a label in which the student writes: guesses, the name that draws a patient, a case to choose, trials.
OF_THE_STUDENT = ("guesses[", 'whose = ""  #', "check.self_attention.catch(", "# Your own trials")
CHANGES = {
    "a gap is raw": lambda nb: as_raw(nb, "self_attention"),
    "a gap is raw and fenced": lambda nb: as_raw(nb, "self_attention", "```python\n"),
    "a raw gap without label": lambda nb: (as_raw(nb, "self_attention"), unlabelled(nb, "self_attention")),
    "a gap is markdown": lambda nb: gap(nb, "self_attention").update(cell_type="markdown"),
    "a function is split": lambda nb: split(nb, "make_datasets", "\n    return"),
    "a class is split": lambda nb: split(nb, "self_attention", "    def forward"),
    "a class is split above a comment": lambda nb: split(
        nb, "self_attention", "    def forward", "# the forward pass\n"
    ),
    "an empty cell is between two halves": lambda nb: (
        split(nb, "self_attention", "    def forward"),
        below(nb, "self_attention", own("code", "  ")),
    ),
    "a comment is cut out of a function": lambda nb: (
        split(nb, "make_datasets", "\n    return"),
        below(nb, "make_datasets", own("code", "    # the forward pass")),
    ),
    "text is there three times": lambda nb: double(nb, "self_attention", 3),
    "a bracket is split": lambda nb: split(nb, "conv_network", "        nn.Conv1d(channels"),
    "text is doubled": lambda nb: double(nb, "self_attention"),
    "a mark of Windows' editors": lambda nb: gap(nb, "update").update(source="\ufeff" + gap(nb, "update")["source"]),
    "a gap is defined above": lambda nb: move_out(nb, "update", "imports"),
    "a gap is defined above its stub": lambda nb: move_out(nb, "update", "imports", STUB),
    "a gap is defined below its check": lambda nb: move_out(nb, "update", "test_update"),
    "a gap is defined below its check, a stub left": lambda nb: move_out(nb, "update", "test_update", STUB),
    "a check is merged with its gap": lambda nb: merge(nb, "update", "test_update"),
    "a gap is merged with a cell of ours above": lambda nb: merge(nb, "data_task_1", "conv_network"),
    "a gap is in its check's cell": lambda nb: merge(nb, "test_update", "update"),
    "a part of the set-up is split off": lambda nb: split(nb, "setup", "def version_found"),
    "the whole notebook twice": lambda nb: nb["cells"].extend(copy.deepcopy(nb["cells"])),
    "an empty one behind it": lambda nb: nb["cells"].extend(
        json.loads(json.dumps(compose(ATTENTION, blank=True)))["cells"]
    ),
    "shuffled": lambda nb: nb["cells"].sort(key=lambda cell: hash(cell["source"])),
}


def run_of(taken: Taken) -> list[str]:
    """What runs, without empty lines and added comments, and without the cells for trials."""
    codes = [code.replace("# the forward pass", "") for code in code_of(taken)]
    return [lines_of(code) for code in codes if not code.startswith(OF_THE_STUDENT)]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_what_a_person_would_run_is_run(notebook, change):
    change(notebook)
    taken = take(notebook)
    assert run_of(taken) == run_of(take(solved()))
    assert {name: cell_of(taken.notebook, name)["source"] for name in OTHER_ESSAYS} == OTHER_ESSAYS


def test_an_empty_gap_of_another_type_is_no_text_of_the_student(notebook):
    gap(notebook, "update")["source"] = next(
        c.source for c in release_notebook(ATTENTION).cells if grade_id(c) == "update"
    )
    for fence in ("", "```python\n"):
        as_raw(notebook, "update", fence)
        assert answer(without_labels(copy.deepcopy(notebook))) == TEXT_STUB


def test_an_indented_half_of_a_function_is_code_even_if_the_prose_quotes_it():
    assert not says_only("    hidden, memory = model.start(source)\n    return hidden")
    assert says_only("    Because the mask hides it.") and says_only('"""A text."""  # and a comment')


@pytest.mark.parametrize("blank_first", [True, False])
def test_an_empty_copy_of_the_lesson_does_not_undo_the_name_that_draws_a_patient(blank_first):
    filled, blank = (json.loads(json.dumps(compose(ATTENTION, blank=blank))) for blank in (False, True))
    (whose,) = [cell for cell in filled["cells"] if cell["source"].startswith('whose = ""  #')]
    whose["source"] = 'whose = "Ada"'
    copies = (blank, filled) if blank_first else (filled, blank)
    taken = take({**filled, "cells": [cell for copy in copies for cell in copy["cells"]]})
    own = [cell.source for cell in taken.notebook.cells if cell.source.startswith("whose =") and not grade_id(cell)]
    assert own == ['whose = "Ada"']


@pytest.mark.parametrize("stub", [STUB, ""], ids=["stub", "no stub"])
@pytest.mark.parametrize(
    "code",
    [
        "if torch:\n    def update(model, optimizer, inputs, targets):\n        return 0",
        "try:\n    import nothing\nexcept ImportError:\n    update = nn.MSELoss()",
        "mse = update = nn.MSELoss()",
        "update, rate = nn.MSELoss(), 0.1",
        "from torch.nn.functional import mse_loss as update",
    ],
)
def test_no_stub_comes_behind_a_name_however_it_was_defined(notebook, code, stub):
    move_out(notebook, "update", "imports", stub)
    cell = notebook["cells"][place_of(notebook, "imports") + 1]
    cell["source"] = code
    assert answer(notebook, "update") == code and code_of(take(notebook)).count(code) == 1


def test_an_untouched_gap_with_which_an_editor_has_merged_other_code_keeps_its_name(notebook):
    stub = cell_of(json.loads(json.dumps(release_notebook(ATTENTION))), "update")["source"]
    gap(notebook, "update")["source"] = f"{''.join(stub)}\n\ncheck.update(update)\n\nx = 1"
    del notebook["cells"][place_of(notebook, "test_update")]
    answered = answer(notebook, "update")
    assert "def update" in answered and answered.endswith("x = 1")


def test_an_answer_that_was_merged_with_an_untouched_gap_is_not_taken_for_a_stub():
    gpt = Lesson.load("gpt", WORKBOOK)
    notebook = json.loads(json.dumps(compose(gpt)))
    stub = cell_of(json.loads(json.dumps(release_notebook(gpt))), "rms_norm")["source"]
    code = cell_of(notebook, "block")["source"]
    notebook["cells"][place_of(notebook, "rms_norm")] = own("code", f"{stub}\n\n{code}")
    del notebook["cells"][place_of(notebook, "block")]
    taken = take_in_bytes(json.dumps(notebook).encode(), gpt)
    (cell,) = [cell.source for cell in taken.notebook.cells if "class Block" in cell.source]
    assert cell.endswith(code)


def test_two_gaps_in_one_cell_are_two_answers_and_no_stub_comes_behind_them(notebook):
    code = [gap(notebook, name)["source"] for name in ("positional_encoding", "add_position")]
    merge(notebook, "positional_encoding", "add_position")
    assert answer(notebook, "positional_encoding") == "\n\n".join(code)
    assert answer(notebook, "add_position") == "# The code of this cell is in the cell positional_encoding."
    assert notes(notebook) == ["The answer to add_position was found in another cell."]


def test_two_gaps_in_the_second_ones_cell_run_before_both_checks(notebook):
    code = [gap(notebook, name)["source"] for name in ("add_position", "positional_encoding")]
    merge(notebook, "add_position", "positional_encoding")
    assert answer(notebook, "positional_encoding") == "\n\n".join(code)
    assert answer(notebook, "add_position") == "# The code of this cell is in the cell positional_encoding."


def test_a_trial_below_its_check_does_not_replace_an_answer(notebook):
    right = gap(notebook, "update")["source"]
    trial = "def update(model, optimizer, inputs, targets):\n    return 0"
    below(notebook, "test_update", own("code", trial))
    assert answer(notebook, "update") == answer(without_labels(notebook), "update") == right
    assert trial in code_of(take(notebook))


def test_code_below_its_check_is_taken_and_this_is_said(notebook):
    move_out(notebook, "update", "test_update", STUB)
    assert notes(notebook) == ["The code of update was below its check; it was taken from there."]


def test_a_doubled_notebook_is_told_in_a_few_sentences(notebook):
    notebook["cells"] += copy.deepcopy(notebook["cells"])
    said = notes(notebook)
    assert len(said) <= 2 and any("were there twice; each counts once." in sentence for sentence in said)


def test_code_behind_a_cell_of_ours_is_kept_and_a_show_cells_is_not_run(notebook):
    gap(notebook, "imports")["source"] += "\nimport math"
    gap(notebook, "train_conv")["source"] += "\nlosses = train(model)"
    code = code_of(take(notebook))
    assert "import math" in code and not any("losses = train(model)" in one for one in code)


def test_cells_of_ours_are_known_without_labels(notebook):
    gap(notebook, "setup")["source"] = gap(notebook, "setup")["source"].replace('ADDRESS = ""', 'ADDRESS = "x==1"')
    taken = take(without_labels(notebook))
    assert code_of(taken) == SOLVED_CODE
    assert all(
        grade_id(cell) or cell.source.startswith(OF_THE_STUDENT)
        for cell in taken.notebook.cells
        if cell.cell_type == "code"
    )
