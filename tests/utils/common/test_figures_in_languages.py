"""Every figure in every language: each letter has a glyph, and no English word is left where there is a translation.

Data are made up and nothing is trained; only matplotlib's own font and the shipped ones can be used, as on a computer
without any.
"""

import inspect
import warnings
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from matplotlib.text import Text
from torch import nn
from torch.utils.data import TensorDataset

from autograder.course import catalogues, fonts
from tests.helpers.hiding import depends_on
from tests.helpers.languages import LANGUAGES
from utils.attention import explorer as sequences_explorer
from utils.attention import plots as sequences
from utils.captioning import explorer as captioning_explorer
from utils.captioning import plots as captioning
from utils.captioning.scenes.dataset import all_scenes
from utils.common.curves import Losses
from utils.common.figures import style
from utils.common.fonts import FONTS, font_path
from utils.common.messages import LANGUAGE_VARIABLE, translate
from utils.seq2seq import explorer as translation_explorer
from utils.seq2seq import plots as translation
from utils.seq2seq.vocabulary import EOS_token, Lang

LOSSES = Losses([1.0, 0.5, 0.3], [(1, 1.1), (3, 0.7)])
X, Y = torch.rand(3, 1, 11), torch.rand(3, 1, 11)
URLS = ["scenes://val/0", "http://127.0.0.1:9/gone.jpg"]
CAPTIONS = ["circle", "nothing"]
WORDS = ["<NULL>", "<START>", "<END>", "<UNK>", "circle"]
# What is the same in both: data (words of captions and of sentences, film's names), formulas, and French cognates.
SAME = {
    "softmax(q·k)",
    "softmax(q·k / √d)",
    "√d",
    "BLEU-4",
    "BLEU (%)",
    "$P_i \\cdot P_k$",
    "ann",
    "bob",
    "je",
    "i",
    "EOS",
}
SAME |= {"circle", "<START>", "<END>", "<NULL>", "<UNK>", "? nothing", "nothing", "? circle", "✓ circle", "✗ circle"}
COGNATES = {
    "fr": {"convolutions", "position", "position (points)", "position i", "bit 0", "bit 1", "attention"},
    "zh": set(),
}


class Captioner(nn.Module):
    """A model of one layer, whose attention weights are what its `attn_drop` is given."""

    def __init__(self):
        super().__init__()
        self.output, self.visual_projection = nn.Linear(3, len(WORDS)), nn.Linear(68, 3)
        layer = SimpleNamespace(self_attn=nn.Module(), multihead_attn=nn.Module())
        for part in (layer.self_attn, layer.multihead_attn):
            part.attn_drop = nn.Identity()
        self.transformer = SimpleNamespace(layers=[layer])

    def forward(self, features, captions):
        (layer,) = self.transformer.layers
        length = captions.shape[1]
        layer.self_attn.attn_drop(torch.full((len(captions), 2, length, length), 1 / length))
        layer.multihead_attn.attn_drop(torch.full((len(captions), 2, length, 16), 1 / 16))
        return torch.zeros(len(captions), length, len(WORDS))

    def sample(self, features, max_length=30):
        return np.array([[1, 4, 2]])


class Attending(nn.Module):
    """A layer with attention, as the lesson `attention` has it."""

    def __init__(self):
        super().__init__()
        self.query = self.key = self.value = nn.Conv1d(1, 1, 1)

    def forward(self, x, return_attention=False):
        weights = torch.full((len(x), x.shape[2], x.shape[2]), 1 / x.shape[2])
        return (x, weights) if return_attention else x


def lang(*words: str) -> Lang:
    made = Lang("made")
    made.addSentence(" ".join(words))
    return made


def decode(model, source, mask, max_length):
    return torch.tensor([[2, EOS_token]]), torch.full((1, 2, source.shape[1]), 0.5)


def on_a_figure(draw):
    import matplotlib.pyplot as plt

    with plt.rc_context(style()):
        draw(plt.figure())
        plt.show()


def explore_captions():
    index = {word: number for number, word in enumerate(WORDS)}
    given = {"url": URLS[0], "idx_to_word": WORDS, "word_to_idx": index}
    on_a_figure(partial(captioning_explorer.draw, model=Captioner(), **given))


TRANSLATING = (None, ["je"], lang("je"), lang("i"), decode)
NAMES = {"dot product": (["ann"], ["bob"])}
INDEX = {word: number for number, word in enumerate(WORDS)}
# Each function that draws, with something to draw.
DRAWN = {
    sequences.plot_sequences: lambda: sequences.plot_sequences(X, Y),
    sequences.plot_keyholes: lambda: sequences.plot_keyholes(X),
    sequences.open_keyholes: lambda: sequences.open_keyholes(X, Y),
    sequences.plot_predictions: lambda: sequences.plot_predictions(X, Y, {"convolutions": Y}, heights=(X, Y)),
    sequences.plot_losses: lambda: sequences.plot_losses({"with attention": LOSSES}),
    sequences.plot_attention: lambda: sequences.plot_attention(torch.rand(11, 11), X[0]),
    sequences.plot_encoding: lambda: sequences.plot_encoding(torch.eye(2, 11)),
    sequences.plot_errors: lambda: sequences.plot_errors({"task 1: convolutions": 2.0, "task 1: with attention": 0.5}),
    captioning.pictures: lambda: captioning.pictures(URLS, CAPTIONS),
    captioning.sampled_pictures: lambda: captioning.sampled_pictures(
        {"train_captions": np.array([[1, 4, 2]]), "train_image_idxs": np.array([0]), "idx_to_word": WORDS}
        | {"train_urls": np.array(["scenes://train/0"])},
        count=1,
    ),
    captioning.dot_products: lambda: captioning.dot_products(widths=(4, 16), samples=3),
    captioning.encoding: lambda: captioning.encoding(torch.rand(5, 6)),
    captioning.losses: lambda: captioning.losses({"all scenes": LOSSES}),
    captioning.comparison: lambda: captioning.comparison({"one head": {"true": 0.5, "bleu": 0.25}}),
    captioning.word_attention: lambda: captioning.word_attention(Captioner(), torch.zeros(68), np.array([1, 4]), WORDS),
    captioning.picture_attention: lambda: captioning.picture_attention(
        Captioner(), URLS[0], WORDS, INDEX, depends_on, patch=32, stride=32, grid=True
    ),
    translation.similarity_maps: lambda: translation.similarity_maps({"dot product": torch.rand(1, 1)}, NAMES),
    translation.softmax_bars: lambda: translation.softmax_bars(torch.rand(2), ["ann", "bob"]),
    translation.loss_curves: lambda: translation.loss_curves({"one vector": LOSSES}),
    translation.quality_by_length: lambda: translation.quality_by_length(
        {"one vector": [(3, 90.0), (9, 70.0)]}, training={"one vector": [(3, 99.0)]}
    ),
    translation.alignment_maps: lambda: translation.alignment_maps(*TRANSLATING),
    sequences_explorer.draw_all: lambda: on_a_figure(
        partial(
            sequences_explorer.draw_all,
            networks={"task 1: with attention": (nn.Sequential(Attending()), TensorDataset(X, Y))},
        )
    ),
    captioning_explorer.draw: explore_captions,
    translation_explorer.draw_all: lambda: on_a_figure(
        lambda figure: translation_explorer.draw_all(
            figure, **dict(zip(("model", "sentences", "input_lang", "output_lang", "decode"), TRANSLATING, strict=True))
        )
    ),
}
NO_FIGURES = {sequences.print_errors, translation.alignment_map}  # a table; a part of others' figures


def texts_of(figure) -> list[str]:
    """The texts of a figure that hold letters, after it was drawn; a letter without a glyph is a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.canvas.draw()
    found = [text.get_text() for text in figure.findobj(Text) if text.get_visible()]
    return [text for text in found if any(letter.isalpha() for letter in text)]


def test_every_function_that_draws_is_drawn_here():
    modules = (sequences, captioning, translation)
    public = {
        function
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    assert public - NO_FIGURES == {function for function in DRAWN if "explorer" not in function.__module__}


# Each figure in English and one other language, taken in turn: to draw one takes half a second.
@pytest.mark.parametrize(
    ("draw", "language"),
    [
        pytest.param(draw, other, marks=[] if number % len(LANGUAGES[1:]) == place else pytest.mark.whole)
        for number, draw in enumerate(DRAWN.values())
        for place, other in enumerate(LANGUAGES[1:])
    ],
    ids=[f"{f.__module__.split('.')[1]}-{f.__name__}-{other}" for f in DRAWN for other in LANGUAGES[1:]],
)
def test_figures_have_every_letter_and_no_english_left(draw, language, figures, monkeypatch, capsys):
    all_scenes()
    shown = {}
    for spoken in ("en", language):
        monkeypatch.setenv(LANGUAGE_VARIABLE, spoken)
        torch.manual_seed(0)
        draw()
        shown[spoken] = [text for figure in figures for text in texts_of(figure)]
        figures.clear()
    assert capsys.readouterr().out == ""
    assert len(shown[language]) == len(shown["en"])
    left = {a for a, b in zip(shown["en"], shown[language], strict=True) if a == b and "10^{" not in a}
    assert left <= SAME | COGNATES[language]


# ---- the fonts ------------------------------------------------------------------------------------------------


def test_a_font_is_shipped_where_letters_lack_and_only_there_small_and_with_its_licence():
    shipped = {path.stem for path in FONTS.glob("*.otf")}
    assert shipped == {language for language in LANGUAGES[1:] if fonts.needed(language)} == {"zh"}
    assert fonts.fonts() == {}  # nothing lacks a letter
    assert font_path("zh").stat().st_size < 150_000
    assert "SIL OPEN FONT LICENSE Version 1.1" in (FONTS / "OFL.txt").read_text(encoding="utf-8")


def test_the_words_of_each_lesson_s_figures_are_in_the_font():
    words = {translate(text, "zh") for text in catalogues.labels()}
    assert {letter for word in words for letter in word if "一" <= letter <= "鿿"} <= fonts.needed("zh")


def test_a_new_letter_asks_for_the_large_font_by_the_name_of_its_package(monkeypatch):
    monkeypatch.setattr(fonts, "needed", lambda language: {"龘"} if language == "zh" else set())
    monkeypatch.setattr(fonts.font_manager, "findSystemFonts", list)
    with pytest.raises(fonts.BuildError, match=r"zh need 龘, which zh.otf lacks.*apt-get install fonts-noto-cjk"):
        fonts.fonts()


@pytest.mark.skipif(
    not any(path.endswith(fonts.SOURCE) for path in fonts.font_manager.findSystemFonts()),
    reason=f"the large font is not installed: {fonts.PACKAGE}",
)
def test_a_font_made_anew_holds_just_what_is_needed(tmp_path):
    (tmp_path / "small.otf").write_bytes(made := fonts.small("zh", {"龘", "中"}, {"龘"}))
    assert fonts.letters_of(tmp_path / "small.otf") == {"龘", "中"}
    assert fonts.small("zh", {"龘", "中"}, {"龘"}) == made and len(made) < 5_000
    with pytest.raises(fonts.BuildError, match="which Noto Sans CJK SC lacks"):
        fonts.small("zh", {"\U0001f600"}, {"\U0001f600"})
