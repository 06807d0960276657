"""Explorers: controls where a person has the notebook open, the same figure elsewhere; and what they draw."""

import io

import numpy as np
import pytest
import torch
from PIL import Image

from tests.helpers import drawn
from utils.common import explorer, notebook
from utils.common.errors import WorkbookError
from utils.common.messages import Message
from utils.translation import explorer as seq2seq
from utils.translation.vocabulary import EOS_token, Lang, PAD_token

CONTROLS = {"kind": ["one", "other"], "place": range(2, 12, 3), "temperature": (0.5, 2.0), "sentence": None}
SAYS = Message("Dots that mark the errors on new sequences, on a logarithmic scale: {numbers}.", {"numbers": "none"})


def test_weights_at_a_temperature_are_the_softmax_of_the_scores_over_it():
    scores = torch.randn(3, 5, 7)
    for temperature in (0.25, 1.0, 4.0):
        found = explorer.sharpened(scores.softmax(-1), temperature)
        torch.testing.assert_close(found, (scores / temperature).softmax(-1))
    assert explorer.sharpened(np.array([0.2, 0.8]), 0.5) == pytest.approx([0.04 / 0.68, 0.64 / 0.68])


def view(figure, **choice):
    if choice.get("sentence") == "bad":
        raise WorkbookError("This sentence cannot be read.")
    figure.subplots().set_title(str(sorted(choice.items())))


def test_without_controls_every_choice_is_drawn_below_the_one_before(figures):
    assert not notebook.is_open()
    shown = [{"kind": "one"}, {"kind": "other"}, {"kind": "third"}]
    explorer.explore(view, {"kind": ["one", "other", "third"]}, shown, height=2, describes=SAYS)
    (figure,) = figures
    assert [ax.get_title() for ax in figure.axes] == [str(sorted(choice.items())) for choice in shown]
    heights = [ax.get_position().transformed(ax.figure.transSubfigure).y0 for ax in figure.axes]
    assert heights == sorted(heights, reverse=True) and figure.get_size_inches().tolist() == [9, 6]


@pytest.fixture
def live(monkeypatch):
    """An open notebook: what is displayed, the controls by their name, and every picture that was shown."""
    pytest.importorskip("ipywidgets")
    import IPython.display

    shown = []

    class Handle:
        def update(self, image):
            shown.append(image)

    def display(thing, display_id=False):
        shown.append(thing)
        return Handle() if display_id else None

    monkeypatch.setattr(notebook, "is_open", lambda: True)
    monkeypatch.setattr(IPython.display, "display", display)
    return shown


def test_a_control_that_is_moved_draws_the_figure_anew(live, figures):
    drawn_with = []
    controls = CONTROLS | {"sentence": explorer.Written(["first", "second"])}
    start = {"kind": "one", "place": 5, "temperature": 2.0, "sentence": "first"}
    explorer.explore(
        lambda figure, **choice: drawn_with.append(choice) or view(figure, **choice),
        controls,
        [start],
        2,
        describes=SAYS,
    )
    box, picture = live
    kind, place, temperature, sentence, trouble = box.children
    assert [type(control).__name__ for control in box.children] == [
        "Dropdown", "IntSlider", "SelectionSlider", "Combobox", "Label",
    ]  # fmt: skip
    assert (place.min, place.max, place.step) == (2, 11, 3) and sentence.options == ("first", "second")
    assert not any(control.continuous_update for control in (place, temperature, sentence))
    assert Image.open(io.BytesIO(picture.data)).size == (720, 160)
    place.value, kind.value, temperature.value = 8, "other", 0.5
    sentence.value = "written"
    assert drawn_with == [
        start,
        start | {"place": 8},
        start | {"place": 8, "kind": "other"},
        start | {"place": 8, "kind": "other", "temperature": 0.5},
        {"place": 8, "kind": "other", "temperature": 0.5, "sentence": "written"},
    ]
    assert len(live) == 6 and len({picture.data for picture in live[1:]}) == 5
    sentence.value = "bad"
    assert len(live) == 6 and trouble.value == "This sentence cannot be read."
    sentence.value = "good"
    assert len(live) == 7 and trouble.value == ""
    assert not figures  # nothing that matplotlib would show beside


def test_controls_carry_their_names_in_the_notebooks_language(live, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_LANGUAGE", "fr")
    explorer.explore(lambda figure, **_: None, {"word": range(1, 3)}, [{"word": 1}], 2, describes=SAYS)
    assert live[0].children[0].description == "mot"


def test_the_explorer_of_sentences_draws_the_row_of_the_word_that_was_chosen(figures):
    french, english = Lang("fra"), Lang("eng")
    french.addSentence("je me leve tot .")
    english.addSentence("i get up early .")
    looks = torch.rand(1, 9, 6)

    def decode(model, source, mask, max_length):
        assert [french.index2word[int(i)] for i in source[0]] == ["je", "me", "leve", "tot", ".", "EOS"] and mask.all()
        said = [english.word2index[word] for word in ("i", "get", "up", ".")]
        return torch.tensor([[*said, EOS_token, *[PAD_token] * 4]]), looks

    options = {"model": None, "input_lang": french, "output_lang": english, "decode": decode, "temperature": 0.5}
    import matplotlib.pyplot as plt

    for word, row in ((3, 2), (30, 4)):  # beyond the end it is the last
        figure = plt.figure()
        seq2seq.draw(figure, sentence=" Je me LÈVE tôt.", word=word, **options)
        left, right = figure.axes
        squares = looks[0, :5].numpy() ** 2
        expected = squares / squares.sum(1, keepdims=True)
        np.testing.assert_allclose(drawn.image(left), expected, rtol=1e-5)
        assert [height for _, height in drawn.bars(right)] == pytest.approx(expected[row].tolist())
        assert left.patches[0].get_xy() == (-0.5, row - 0.5)
        assert right.get_title() == f"where “{['i', 'get', 'up', '.', 'EOS'][row]}” looks"
    with pytest.raises(WorkbookError, match="no “tard”, “hier”: write"):
        seq2seq.draw(figure, sentence="je me leve tard hier", word=1, **options)
    with pytest.raises(WorkbookError, match="no attention weights"):
        none = options | {"decode": lambda *args: (decode(*args)[0], None)}
        seq2seq.draw(figure, sentence="je me leve tot .", word=1, **none)
    seq2seq.explore(None, ["je me leve tot ."], french, english, decode)
    assert len(figures) == 1
