"""Pictures as grids of places: their features, models that look at them, and where a word looks."""

import numpy as np
import pytest
import torch
from torch import nn

from tests.helpers import drawn as figures_of
from tests.helpers.hiding import depends_on
from utils.captioning import explorer, plots
from utils.captioning.interface import places_of
from utils.captioning.layers import TransformerDecoderLayer
from utils.captioning.looking import CannotBeShown, cells_of, weights_of
from utils.captioning.scenes import dataset, features, grammar
from utils.captioning.scenes.scene import BACKGROUNDS, COLOURS, SIZES, Drawn, drawn, make_scenes, render
from utils.captioning.stand_ins import LearnedEncoding, TorchAttention, stand_ins
from utils.common.errors import ShapeError
from utils.transformer import CaptioningModel

WORDS = ["<NULL>", "<START>", "<END>", *grammar.vocabulary()]
INDEX = {word: i for i, word in enumerate(WORDS)}
SCENES = make_scenes()["val"][:23]


# ---- features -------------------------------------------------------------------------------------------------


def test_a_grid_is_the_last_convolution_place_by_place_and_where_each_place_lies():
    pictures = np.stack([render(scene) for scene in SCENES[:5]])
    grid = features.grid_of(pictures)
    assert grid.shape == (5, 16, 72) == (5, features.CELLS**2, features.GRID_WIDTH) and grid.dtype == np.float32
    with torch.no_grad():
        x = features.as_input(pictures)
        for convolution in features._network().convolutions:
            x = convolution(x).clamp(min=0)
    for place in range(16):
        row, column = divmod(place, 4)
        np.testing.assert_allclose(grid[:, place, :64], x[:, :, row, column].numpy(), rtol=1e-5)
        ones = np.flatnonzero(grid[0, place, 64:])
        assert ones.tolist() == [row, 4 + column] and (grid[:, place, 64:] == grid[0, place, 64:]).all()


def test_a_place_sees_37_points_around_itself_and_nothing_else():
    picture = render(SCENES[0])[None]
    for place in (0, 5, 10, 15):
        seen = np.zeros(64, bool)
        for row in range(64):
            changed = picture.copy()
            changed[:, row] = 255 - changed[:, row]
            seen[row] = not np.array_equal(
                features.grid_of(changed)[0, place, :64], features.grid_of(picture)[0, place, :64]
            )
        middle = 16 * (place // 4)  # of the kernels, which begin at the left: 18 points to either side
        assert not seen[: max(0, middle - 18)].any() and not seen[middle + 19 :].any() and seen.sum() > 10


def test_the_data_sets_grids_are_those_of_its_pictures(monkeypatch):
    whole = dataset.all_scenes()
    assert {split: len(scenes) for split, scenes in whole.items()} == {"train": 5000, "val": 1000}
    some = {split: scenes[:30] for split, scenes in whole.items()}  # to draw all takes seconds
    monkeypatch.setattr(dataset, "all_scenes", lambda: some)
    grids = dataset.scene_grids()
    assert {name: grid.shape for name, grid in grids.items()} == {
        "train_features": (30, 16, 72),
        "val_features": (30, 16, 72),
    }
    np.testing.assert_allclose(
        grids["val_features"][:5], features.grid_of(np.stack([render(scene) for scene in SCENES[:5]])), rtol=1e-5
    )


# ---- where things are -----------------------------------------------------------------------------------------


def test_things_are_where_their_colour_is():
    for scene in SCENES:
        background, things = drawn(scene)
        picture = render(scene, 256).astype(int)
        assert np.abs(picture[0, 0] - background).max() <= 1
        assert np.abs(np.array(background) - BACKGROUNDS[scene.background]).max() <= 10
        for thing, how in zip(scene.things, things, strict=True):
            mine = (np.abs(picture - how.fill).max(axis=2) <= 2).nonzero()
            assert np.abs(np.array(how.fill) - COLOURS[thing.colour]).max() <= 10
            centre = [(axis.min() + axis.max() + 1) / 512 for axis in mine]
            assert centre == pytest.approx([how.y, how.x], abs=0.06)  # a triangle's box is not about its centre
            assert 0.9 * SIZES[thing.size] < how.radius < 1.1 * SIZES[thing.size]


def test_a_thing_stands_at_the_places_of_which_its_box_covers_a_tenth():
    def cells(x: float, y: float, radius: float) -> list[str]:
        return ["".join(".#"[int(cell)] for cell in row) for row in cells_of(Drawn(x, y, radius, 0.0, ()))]

    assert cells(0.125, 0.375, 0.1) == ["....", "#...", "....", "...."]
    assert cells(0.5, 0.75, 0.1) == ["....", "....", ".##.", ".##."]
    assert cells(0.875, 0.125, 0.19) == ["..##", "...#", "....", "...."]  # 0.26 of one side is enough, of both not
    assert cells(0.62, 0.875, 0.125) == ["....", "....", "....", "..#."]  # 0.005 of 0.25 is less than a tenth


# ---- models ---------------------------------------------------------------------------------------------------


class Looking(TorchAttention):
    """torch's attention, whose weights pass through a layer attn_drop."""

    def __init__(self, embed_dim, num_heads, dropout=0.1):
        super().__init__(embed_dim, num_heads, dropout)
        self.attn_drop = nn.Dropout(dropout)

    def forward(self, query, key, value, attn_mask=None):
        blocked = None if attn_mask is None else attn_mask == 0
        result, weights = self.attention(query, key, value, attn_mask=blocked, average_attn_weights=False)
        self.attn_drop(weights)
        return result


class Model(CaptioningModel):
    """Gives the picture its axis as most students do."""

    def forward(self, features, captions):
        mask = torch.ones(captions.shape[1], captions.shape[1]).tril()
        words = self.positional_encoding(self.embedding(captions))
        return self.output(self.transformer(words, self.visual_projection(features).unsqueeze(1), tgt_mask=mask))


class Explicit(Model):
    """Gives it to a vector only."""

    def forward(self, features, captions):
        mask = torch.ones(captions.shape[1], captions.shape[1]).tril()
        words = self.positional_encoding(self.embedding(captions))
        memory = self.visual_projection(features)
        memory = memory if memory.ndim == 3 else memory[:, None]
        return self.output(self.transformer(words, memory, tgt_mask=mask))


def make(model: type[Model] = Model, attention: type[nn.Module] = Looking, width: int = features.GRID_WIDTH) -> Model:
    torch.manual_seed(0)
    with stand_ins(attention, LearnedEncoding, feed_forward=23):
        made = model(INDEX, width, 14, 2)
    with torch.no_grad():
        for parameter in made.parameters():  # far from uniform weights
            parameter.normal_(std=0.7)
    return made.eval()


def test_a_memory_is_one_sequence_of_places():
    memory = torch.randn(3, 1, 5, 7)
    assert torch.equal(places_of(memory), memory[:, 0])
    assert places_of(memory[:, 0]).shape == (3, 5, 7) and places_of(memory[:, 0, :1]).shape == (3, 1, 7)


def test_a_decoder_layer_takes_a_memory_with_more_axes_by_place_and_by_name():
    layer = TransformerDecoderLayer(8, 2, dropout=0.0, attention=TorchAttention)
    words, memory = torch.randn(3, 4, 8), torch.randn(3, 5, 8)
    right = layer(words, memory)
    assert torch.equal(layer(words, memory[:, None]), right)
    assert torch.equal(layer(words, memory=memory[:, None]), right)
    for call in (lambda narrow: layer(words, narrow), lambda narrow: layer(words, memory=narrow)):
        with pytest.raises(ShapeError, match="E = 8"):
            call(memory[..., :6])


def test_a_forward_that_adds_an_axis_takes_grids_as_one_that_knows_them():
    mine, explicit = make(width=11), make(Explicit, width=11)
    grid, captions = torch.randn(3, 5, 11), torch.randint(3, len(WORDS), (3, 7))
    explicit.load_state_dict(mine.state_dict())
    with torch.no_grad():
        scores = mine(grid, captions)
        torch.testing.assert_close(scores, explicit(grid, captions))
        torch.testing.assert_close(scores, mine(grid[:, torch.randperm(5)], captions))  # a set of places
        other = grid.clone()
        other[:, 4] += 1.0
        assert ((mine(other, captions) - scores).abs().amax((1, 2)) > 1e-6).all()  # the last of them counts
        torch.testing.assert_close(mine(grid[:, :1], captions), mine(grid[:, 0], captions))  # one place is a vector


def test_captions_of_grids_are_the_same_with_the_cache_without_it_and_by_beam():
    grid = np.random.RandomState(0).randn(5, 7, 11).astype(np.float32)
    model = make(width=11)
    cached = model.sample(grid, max_length=9)
    assert cached.shape == (5, 9)
    np.testing.assert_array_equal(cached, model.sample(grid, max_length=9, cached=False))
    beams = [model.sample(grid, max_length=9, beam_width=3, cached=way) for way in (True, False)]
    np.testing.assert_array_equal(*beams)
    assert len({tuple(caption) for caption in cached.tolist()}) > 1


def test_a_memory_or_features_of_another_form_are_refused_with_a_sentence():
    model = make(width=11)
    for shape in ((3, 12), (3, 5, 12), (3, 5, 2, 11), (11,)):
        with pytest.raises(ShapeError, match=r"or \(N, T, D\) for T places"):
            model.sample(np.zeros(shape, np.float32))
    with pytest.raises(ShapeError, match=r"its shape is \(3, 1, 70\)"):
        model.transformer(torch.zeros(3, 2, 14), torch.zeros(3, 1, 70))


# ---- where a word looks ---------------------------------------------------------------------------------------


def test_the_weights_of_both_kinds_of_attention_are_seen_layer_by_layer():
    model = make(width=11).train()
    grid, captions = torch.randn(3, 5, 11), torch.randint(3, len(WORDS), (3, 7))
    own, cross = weights_of(model, grid, captions), weights_of(model, grid, captions, "multihead_attn")
    assert [tuple(weights.shape) for weights in own + cross] == [(3, 2, 7, 7)] * 2 + [(3, 2, 7, 5)] * 2
    for weights in own + cross:
        torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:-1]))
    assert (own[0].triu(1) == 0).all() and not torch.allclose(*cross)
    assert model.training and not any(layer.self_attn.attn_drop._forward_hooks for layer in model.transformer.layers)
    with pytest.raises(CannotBeShown, match="no layer attn_drop"):
        weights_of(make(attention=TorchAttention, width=11), grid, captions)


def test_below_what_a_word_depends_on_stands_where_it_looks(figures):
    model = make()
    url = "scenes://val/3"
    plots.picture_attention(model, url, WORDS, INDEX, depends_on, grid=True)
    picture = render(dataset.scene_of(url))[None]
    grid = features.grid_of(picture)
    caption = model.sample(grid, max_length=16)[0]
    words = [WORDS[i] for i in caption if WORDS[i] not in ("<START>", "<END>", "<NULL>")]
    seen = torch.tensor([[INDEX[word] for word in ("<START>", *words[:-1])]])
    last = weights_of(model, torch.from_numpy(grid), seen, "multihead_attn")[-1][0].mean(0)
    maps = [ax for ax in figures[0].axes if not ax.get_ylabel()]
    above, below = figures[0].axes[len(maps) :][:2]  # a bar for each row of maps
    assert (above.get_ylabel(), below.get_ylabel()) == (
        "fall of log-\nprobability (nats)",
        "weight, mean\nof the heads",
    )
    rows = [maps[start : start + 6] for start in range(0, len(maps), 6)]
    titles = [ax.get_title() for row in rows[0::2] for ax in row]
    assert titles[: 1 + len(words)] == ["the picture", *words]
    looks = [ax for row in rows[1::2] for ax in row][1 : 1 + len(words)]
    for ax, weights in zip(looks, last, strict=True):
        np.testing.assert_allclose(figures_of.image(ax, 1), weights.reshape(4, 4).numpy(), rtol=1e-3, atol=1e-6)


def test_weights_that_cannot_be_seen_leave_what_the_words_depend_on(figures, capsys):
    plots.picture_attention(make(attention=TorchAttention), "scenes://val/3", WORDS, INDEX, depends_on, grid=True)
    assert "cannot be shown" in capsys.readouterr().out
    assert not any("weight" in ax.get_ylabel() for ax in figures[0].axes)


def test_the_explorers_picture_shows_where_the_word_looks_and_what_it_might_have_been():
    import matplotlib.pyplot as plt

    model = make()
    figure = plt.figure()
    explorer.draw_word(figure, url="scenes://val/3", word=3, model=model, idx_to_word=WORDS, word_to_idx=INDEX)
    shown, on_picture, among_words, candidates = figure.axes
    picture = render(dataset.scene_of("scenes://val/3"))
    np.testing.assert_array_equal(shown.images[0].get_array(), picture)
    grid = torch.from_numpy(features.grid_of(picture[None]))
    words = [WORDS[i] for i in model.sample(grid, max_length=16)[0] if WORDS[i] not in ("<START>", "<NULL>")]
    seen = torch.tensor([[INDEX[word] for word in ("<START>", *words[:2])]])
    for kind, values in (
        ("multihead_attn", np.asarray(on_picture.images[1].get_array()).flatten()),
        ("self_attn", [bar.get_width() for bar in among_words.patches]),
    ):
        expected = weights_of(model, grid, seen, kind)[-1][0, :, 2].mean(0)
        np.testing.assert_allclose(values, expected.numpy(), rtol=1e-4, atol=1e-6)
    with torch.no_grad():
        likeliest = model(grid, seen)[0, 2].softmax(-1).topk(4)
    assert [bar.get_width() for bar in candidates.patches] == pytest.approx(likeliest.values.tolist(), rel=1e-4)
    assert [text.get_text() for text in candidates.get_yticklabels()] == [WORDS[i] for i in likeliest.indices]
    assert on_picture.get_title() == f"where “{words[2]}” looks"
    plt.close(figure)
