"""What is shown of a cell's outputs: text that is bounded, and pictures that a browser can bear."""

import base64
import struct

import pytest

from autograder.examine.outputs import (
    MAX_ALL_PIXELS,
    MAX_LETTERS,
    MAX_LINES,
    MAX_OUTPUTS,
    MAX_PICTURE,
    MAX_PIXELS,
    MAX_TEXT,
    Outputs,
    error_output,
)


def checked_outputs(outputs: object) -> list[dict]:
    return Outputs().of_cell(outputs)


def png(width: int, height: int, size: int = 99) -> str:
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", width, height, 8, 2, 0, 0, 0)
    return base64.b64encode(head + bytes(size)).decode()


def shown(picture: object) -> bool:
    data = {"text/plain": "<Figure>", "image/png": picture, "text/html": "<b>x</b>"}
    (output,) = checked_outputs([{"output_type": "display_data", "data": data, "metadata": {"width": 9}}])
    assert (output["output_type"], output["metadata"]) == ("display_data", {})
    assert output["data"] == {"text/plain": "<Figure>"} | (
        {"image/png": picture} if "image/png" in output["data"] else {}
    )
    return "image/png" in output["data"]


@pytest.mark.parametrize(("width", "height"), [(MAX_PIXELS, 1), (1, MAX_PIXELS), (2500, 4000), (1, 1)])
def test_a_picture_has_ten_million_pixels_and_no_more(width, height):
    assert MAX_PIXELS == 10_000_000
    assert shown(png(width, height))
    assert not shown(png(width + MAX_PIXELS, height)) and not shown(png(width, height + MAX_PIXELS))


def test_the_first_number_of_pixels_too_many():
    assert not shown(png(MAX_PIXELS + 1, 1)) and not shown(png(1, MAX_PIXELS + 1))


def test_a_picture_has_a_million_and_a_half_letters_and_no_more():
    assert MAX_PICTURE == 1_500_000
    bare = png(7, 5)
    assert shown(bare + "A" * (MAX_PICTURE - len(bare)))
    assert not shown(bare + "A" * (MAX_PICTURE - len(bare) + 1))


def test_line_breaks_in_a_picture_are_of_no_consequence():
    text = png(MAX_PIXELS, 1)
    assert shown("\n".join([text[:13], text[13:30], text[30:]]) + "\n")
    text = png(MAX_PIXELS + 1, 1)
    assert not shown("\n".join([text[:13], text[13:30], text[30:]]))


@pytest.mark.parametrize(
    "text",
    [
        None,
        7,
        "",
        "iVBORw0KGgo",
        "iVBORw0KGgo" + "A" * 39,
        "R0lGODlh" + "A" * 60,
        png(7, 5) + '" onerror="evil()',
        png(7, 5) + "<script>",
        " " + png(7, 5),
        "iVBORw0KGgo=====" + "A" * 60,
    ],
)
def test_what_is_no_png_is_left_out(text):
    assert not shown(text)


def test_texts_are_cut_and_other_things_left_out():
    long = "x" * 30_001
    outputs = [
        {"output_type": "stream", "name": "stderr", "text": long},
        {"output_type": "error", "ename": long, "evalue": long, "traceback": [long] * 201},
        {"output_type": "execute_result", "data": {"text/plain": long}},
        {"output_type": "stream", "text": 7},
        {"output_type": "error", "ename": 7, "evalue": None, "traceback": "text"},
        {"output_type": "display_data", "data": "text"},
        {"output_type": "update_display_data", "data": {"text/plain": "x"}},
        "text",
    ]
    cut = "x" * 30_000
    assert checked_outputs(outputs) == [
        {"output_type": "stream", "name": "stdout", "text": cut},
        {"output_type": "error", "ename": "x" * 200, "evalue": cut, "traceback": [cut] * 200},
        {"output_type": "display_data", "data": {"text/plain": cut}, "metadata": {}},
        {"output_type": "stream", "name": "stdout", "text": ""},
        {"output_type": "error", "ename": "", "evalue": "", "traceback": [": "]},
    ]


@pytest.mark.parametrize("outputs", [None, "text", 7, {}, {"output_type": "stream"}])
def test_what_is_no_list_shows_nothing(outputs):
    assert checked_outputs(outputs) == []


def test_sixty_outputs_are_kept():
    assert (MAX_OUTPUTS, MAX_LINES, MAX_TEXT) == (60, 200, 30_000)
    stream = {"output_type": "stream", "name": "stdout", "text": "x"}
    assert checked_outputs([stream] * 60) == [stream] * 60
    assert checked_outputs([stream] * 61) == [stream] * 60


def test_an_error_without_a_trace_is_one_line():
    assert error_output("Stopped", "too long") == {
        "output_type": "error",
        "ename": "Stopped",
        "evalue": "too long",
        "traceback": ["Stopped: too long"],
    }


# ---- all outputs of a notebook together ---------------------------------------------------------------------


def display(picture: str) -> dict:
    return {"output_type": "display_data", "data": {"text/plain": "", "image/png": picture}, "metadata": {}}


def test_a_notebooks_pictures_have_sixty_million_pixels_and_no_more():
    """Across its cells; a smaller one that still fits is shown, and those left out are counted."""
    assert MAX_ALL_PIXELS == 60_000_000
    notebook = Outputs()
    for _ in range(5):
        assert "image/png" in notebook.of_cell([display(png(MAX_PIXELS, 1))])[0]["data"]
    assert "image/png" in notebook.of_cell([display(png(MAX_PIXELS - 3, 1))])[0]["data"]
    found = notebook.of_cell([display(png(4, 1)), display(png(3, 1)), display(png(1, 1))])
    assert ["image/png" in output["data"] for output in found] == [False, True, False]
    assert (notebook.left_out, notebook.pixels_left) == (2, 0)


def test_a_notebooks_texts_and_pictures_have_twenty_million_letters_and_no_more():
    assert MAX_LETTERS == 20_000_000
    notebook = Outputs()
    bare = png(1, 1)
    large = bare + "A" * (MAX_PICTURE - len(bare))
    for _ in range(13):
        assert "image/png" in notebook.of_cell([display(large)])[0]["data"]
    text = {"output_type": "stream", "name": "stdout", "text": "x" * MAX_TEXT}
    for _ in range(16):
        notebook.of_cell([text])
    rest = MAX_LETTERS - 13 * MAX_PICTURE - 16 * MAX_TEXT
    assert notebook.letters_left == rest < MAX_TEXT
    assert "image/png" not in notebook.of_cell([display(bare + "A" * (rest - len(bare) + 1))])[0]["data"]
    assert notebook.left_out == 1
    exact = bare + "A" * 16
    assert [output["text"] for output in notebook.of_cell([{**text, "text": "x" * (rest - len(exact))}])] != [""]
    assert "image/png" in notebook.of_cell([display(exact)])[0]["data"]
    assert [output["text"] for output in notebook.of_cell([text])] == [""]
    assert notebook.letters_left == 0
    assert "image/png" not in notebook.of_cell([display(bare)])[0]["data"]
