"""The language model's parts with the lesson's reference: what torch says, what trains, what is measured and drawn."""

import math

import pytest
import torch
from torch import nn

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.common.errors import NotWritten, ShapeError
from utils.common.figures import INK
from utils.gpt import looking, model, plots, training, writing
from utils.gpt.looking import Example, KindLosses
from utils.gpt.stand_in_attention import StandInAttention
from utils.gpt.stand_ins import StandInGPT, shifted
from utils.gpt.tales.grammar import AGAIN, DICE, FIRST, PLAIN
from utils.gpt.tales.letters import LETTERS, training_rows
from utils.gpt.writing import WritingTimes

ROWS = training_rows(60, length=90, seed=3)


@pytest.fixture(scope="module")
def names():
    return reference.reference_names(Lesson.load("gpt", WORKBOOK))


@pytest.fixture
def small(names):
    """An untrained model of two layers, whose output is not zero."""
    parts = [names[part] for part in ("GPT", "Block", "SelfAttention", "RMSNorm", "rotate")]
    made = model.build(*parts, num_letters=len(LETTERS), layers=2, width=16, num_heads=2).eval()
    nn.init.normal_(made.output.weight)
    return made


def test_scaffolds_say_what_is_to_be_written():
    x = torch.zeros(1, 3, 12)
    layer = model.SelfAttention(12, 3, shifted)
    norm = model.RMSNorm(12)
    for call in (
        lambda: norm(x),
        lambda: layer(x),
        lambda: layer.look(x),
        lambda: model.Block(layer, layer, norm, norm)(x),
    ):
        with pytest.raises(NotWritten, match="still to be written"):
            call()


def test_a_head_needs_an_even_width():
    with pytest.raises(ShapeError, match="num_heads=3"):
        model.SelfAttention(15, 3, shifted)


def test_split_and_join_undo_one_another_and_agree_with_lesson_two():
    layer = model.SelfAttention(12, 3, shifted)
    x = torch.randn(2, 7, 12)
    split_heads = reference.reference_names(Lesson.load("captioning", WORKBOOK))["split_heads"]
    assert torch.equal(layer.split(x), split_heads(x, 3))
    assert torch.equal(layer.join(layer.split(x)), x)


def test_the_norm_and_the_attention_agree_with_torch(names):
    torch.manual_seed(0)
    x = torch.randn(2, 7, 12)
    norm = names["RMSNorm"](12)
    norm.gain.data.normal_()
    wanted = x / (x.square().mean(-1, keepdim=True) + model.EPSILON).sqrt() * norm.gain
    torch.testing.assert_close(norm(x), wanted)
    layer = names["SelfAttention"](12, 3, lambda x, start=0: x)
    query, key, value = (layer.split(part(x)) for part in (layer.query, layer.key, layer.value))
    core = nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    torch.testing.assert_close(layer(x), layer.proj(core.transpose(1, 2).flatten(2)))


def test_rotation_keeps_lengths_and_sees_distances(names):
    torch.manual_seed(1)
    rotate = names["rotate"]
    x, y = torch.randn(2, 1, 1, 1, 10, dtype=torch.float64)
    torch.testing.assert_close(rotate(x, 17).norm(), x.norm())
    products = [float((rotate(x, start + 5) * rotate(y, start)).sum()) for start in (0, 3, 40)]
    assert max(products) - min(products) < 1e-4
    angle = 5 * 10000 ** (-2 / 10)  # of the second pair
    turn = torch.tensor([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]], dtype=torch.float64)
    torch.testing.assert_close(rotate(x, 5)[0, 0, 0, 2:4], turn @ x[0, 0, 0, 2:4], atol=1e-5, rtol=1e-5)


def test_steps_with_a_cache_are_the_whole_text_at_once(names, small):
    letters = ROWS.letters[:3, :23]
    with torch.no_grad():
        wanted = small(letters)
        with writing.caching(small, names["step"]):
            pieces = [small(piece) for piece in letters.split([11, 1, 1, 7, 3], dim=1)]
        torch.testing.assert_close(torch.cat(pieces, dim=1), wanted, atol=1e-4, rtol=1e-4)
        assert torch.equal(small(letters), wanted)  # afterwards nothing is cached


def test_looks_are_the_weights_of_each_layer(small):
    weights = looking.looks(small, ROWS.letters[:2, :11])
    assert [one.shape for one in weights] == [(2, 2, 11, 11)] * 2
    assert all(torch.allclose(one.sum(-1), torch.ones(2, 2, 11)) for one in weights)


def test_losses_by_kind_are_means_over_that_kind():
    kinds = ROWS.kinds[:, 1:]
    losses = (kinds == FIRST) * 3.0 + (kinds == AGAIN) * 5.0 + (kinds == PLAIN) * 0.5
    assert looking.by_kind(losses, ROWS) == KindLosses(0.5, 3.0, 5.0)
    assert looking.rows_by_kind({"x": KindLosses(0.5, 3.0, 5.0)}) == [("x", "0.50", "3.00", "5.00")]


def test_places_asked_come_before_letters_told_again():
    asked = looking.asked(ROWS)
    assert torch.equal(asked[:, :-1], ROWS.kinds[:, 1:] == AGAIN) and not asked[:, -1].any()


def test_pairs_are_numbered_by_letter_and_letter_before():
    pairs = looking.pairs_of(torch.tensor([[3, 5, 3, 5, 5]]))
    assert pairs[0, 1] == pairs[0, 3] != pairs[0, 4]
    assert pairs[0, 0] != pairs[0, 2]  # nothing stands before the first


def test_the_table_of_pairs_beats_no_idea_and_forgets_names(names):
    table = looking.pair_table(ROWS)
    losses = looking.by_kind(names["nats"](table[ROWS.letters], ROWS.letters), ROWS)
    assert losses.plain < math.log(len(LETTERS)) / 2 and losses.again > 1.5


def test_training_lowers_the_loss_and_keeps_snapshots(names, small):
    measure = looking.measure(names["nats"], ROWS)
    before = measure(small)[0]
    history = names["train"](small, ROWS, names["nats"], steps=20, measure=measure)
    assert [step for step, _ in history] == list(range(1, 21))
    assert history[-1][1][0].plain < before.plain
    scores = looking.scores_by_step(small, history[-3:], names["induction_score"], ROWS)
    assert [step for step, _ in scores] == [18, 19, 20] and scores[0][1].shape == (2, 2)
    assert all(torch.equal(value, history[-1][1][1][name]) for name, value in small.state_dict().items())


def test_in_training_the_last_attention_is_left_out_of_some_rows(names, small):
    letters = ROWS.letters[:1, :12].expand(400, 12)
    last = small.blocks[-1]
    with torch.no_grad():
        whole = small(letters)[0]
        with looking.attention_replaced(last, names["without_heads"](last.attention, [0, 1])):
            without = small(letters)[0]
        with training.last_attention_left_out(small.train(), torch.Generator().manual_seed(0)):
            found = small(letters)
        left_out = [torch.allclose(row, without, atol=1e-5) for row in found]
        assert 0.5 * training.LEFT_OUT < sum(left_out) / len(found) < 1.5 * training.LEFT_OUT
        assert all(out or torch.allclose(row, whole, atol=1e-5) for row, out in zip(found, left_out, strict=True))
        assert torch.allclose(small(letters)[1], whole, atol=1e-5)  # afterwards nothing is left out


def test_one_layer_keeps_its_attention(names):
    parts = [names[part] for part in ("GPT", "Block", "SelfAttention", "RMSNorm", "rotate")]
    one = model.build(*parts, num_letters=len(LETTERS), layers=1, width=16, num_heads=2)
    nn.init.normal_(one.output.weight)
    wanted = one(ROWS.letters[:9])
    with training.last_attention_left_out(one, torch.Generator().manual_seed(0)):
        assert torch.equal(one(ROWS.letters[:9]), wanted)


def test_plain_losses_by_place_are_means_over_stretches(names, small):
    long = training_rows(20, length=3 * looking.STRETCH + 1, seed=5)
    found = looking.plain_by_place(small, names["nats"], long)
    assert [place for place, _ in found] == [12, 36, 60] and looking.STRETCH == 24  # the middles
    with torch.no_grad():
        losses = names["nats"](small(long.letters), long.letters)[:, looking.STRETCH : 2 * looking.STRETCH]
    plain = long.kinds[:, 1 + looking.STRETCH : 1 + 2 * looking.STRETCH] == PLAIN
    assert found[1][1] == pytest.approx(float(losses[plain].mean()), abs=1e-5)


def test_a_second_opinion_agrees_with_right_losses_and_not_with_wrong_ones(names):
    logits, letters = torch.randn(2, 5, 7), torch.randint(7, (2, 5))
    assert looking.far_from_torch(names["nats"], logits, letters) < 1e-5
    assert looking.far_from_torch(lambda *given: 2 * names["nats"](*given), logits, letters) > 0.1


def test_weights_on_letters_before_are_those_of_a_first_layer_made_by_hand(names, small):
    """A first layer whose heads look one and two places back, whatever they are given."""

    def look(x):
        return torch.stack([torch.eye(x.shape[1]).roll(-k, dims=1).tril(-k) for k in (1, 2)]).expand(len(x), -1, -1, -1)

    small.blocks[0].attention.look = look
    weights = looking.looks(small, ROWS.letters)[0]
    backs = {k: names["back"](weights, k) for k in (1, 2, 3)}
    assert [backs[k].tolist() for k in (1, 2, 3)] == [[1, 0], [0, 1], [0, 0]]
    best = {"no head": torch.tensor(0.875), "0": 0.5, "1": 0.75}
    rows = looking.rows_of_first_layer(backs, best)
    assert rows == [
        ("no head", "", "", "", "0.88"),
        ("0", "1.00", "0.00", "0.00", "0.50"),
        ("1", "0.00", "1.00", "0.00", "0.75"),
    ]


def test_the_second_layers_scores_are_measured_without_each_head_of_the_first(names, small):
    whole = small.blocks[0].attention
    with torch.no_grad():
        whole.proj.weight[:, :8] = 0  # head 0 adds nothing already

    def scores_of(model):
        return looking.scores_of(model, names["induction_score"], ROWS)

    found = [names["score_without"](small, head, names["without_heads"], scores_of) for head in (0, 1)]
    as_it_is = scores_of(small)[1]
    assert torch.equal(found[0], as_it_is) and not torch.allclose(found[1], as_it_is, atol=1e-4)
    assert small.blocks[0].attention is whole


def test_the_table_of_heads_shows_a_head_that_adds_nothing_and_one_that_looks_at_one_letter(names, small):
    first = small.blocks[0].attention
    with torch.no_grad():
        first.proj.weight[:, :8] = 0  # head 0 of layer 1 adds nothing
        first.query.weight[:8] *= 1e6  # and looks at a single letter
    rows = looking.rows_of_heads(small, names["induction_score"], names["without_heads"], names["nats"], ROWS)
    assert [row[0] for row in rows] == ["1 / 0", "1 / 1", "2 / 0", "2 / 1"]
    whole = looking.losses_of(small, names["nats"], ROWS)
    assert rows[0][3:] == (f"{whole.plain:.2f}", f"{whole.again:.2f}") and float(rows[0][1]) > 0.9 > float(rows[1][1])
    assert [float(row[2]) for row in rows] == pytest.approx(
        looking.scores_of(small, names["induction_score"], ROWS).flatten().tolist(), abs=0.006
    )


def test_through_a_window_nothing_farther_back_has_weight(small):
    letters = ROWS.letters[:2, :12]
    layer = small.blocks[0].attention
    with looking.window(small, places=4):
        (near, _) = looking.looks(small, letters)
    (all_places, _) = looking.looks(small, letters)
    assert not near.tril(-4).any() and all_places.tril(-4).any()
    torch.testing.assert_close(near.sum(dim=-1), torch.ones(2, 2, 12))
    torch.testing.assert_close(near[..., :4, :], all_places[..., :4, :])
    assert "look" not in layer.__dict__


def test_heads_are_switched_off_by_score_and_put_back(names, small):
    scores = [(0, torch.tensor([[0.9, 0.1], [0.2, 0.7]]))]
    assert looking.best_head(scores) == (0, 0)
    kept = small.blocks[-1].attention
    found = looking.switched_off(small, scores, names["without_heads"], names["nats"], ROWS)
    assert list(found) == ["no head", "1 (0.70)", "0 (0.20)"]
    both = [(0, torch.tensor([[0.9, 0.1], [0.6, 0.7]]))]
    found_both = looking.switched_off(small, both, names["without_heads"], names["nats"], ROWS)
    assert list(found_both) == ["no head", "1 (0.70)", "1 (0.70), 0 (0.60)"]
    assert small.blocks[-1].attention is kept
    assert found["no head"] == looking.losses_of(small, names["nats"], ROWS) != found["1 (0.70)"]


def test_an_example_shows_a_name_that_was_told_before(small):
    for example in looking.examples(small, ROWS, layer=1, head=1):
        earlier = example.text.index(example.text[-3:])
        assert earlier < len(example.text) - 3 and example.text[earlier + 3] == example.following
        assert len(example.weights) == len(example.text) <= looking.SHOWN and sum(example.weights) <= 1.0001


def test_a_copy_without_all_heads_adds_nothing(names):
    layer = StandInAttention(12, 3)
    assert not names["without_heads"](layer, [0, 1, 2])(torch.randn(2, 5, 12)).any()


def test_the_nucleus_by_hand(names):
    p = torch.tensor([[0.15, 0.5, 0.05, 0.3]])
    kept = names["nucleus"](p.log(), 1.0, 0.6)
    torch.testing.assert_close(kept, torch.tensor([[0.0, 0.625, 0.0, 0.375]]))


def test_a_grammarian_s_texts_are_judged_well(names):
    """Of tales that the grammar tells, all sentences are well formed, with three names and none of them known."""
    told = iter(ROWS.letters[:, 1:])
    rows = writing.judged(None, lambda *_: torch.stack([next(told) for _ in range(5)]), None, frozenset(), (0.5,))
    ((temperature, well_formed, oneself, new, _),) = rows
    assert (temperature, well_formed, oneself, new) == ("0.5", "100%", "0%", "100%")


def test_written_texts_begin_after_the_line_end(names):
    model_of_chance = StandInGPT(len(LETTERS))
    texts = writing.written(model_of_chance, names["generate"], names["nucleus"], 1.0, tales=3)
    assert len(texts) == 3 and not any("\n" in text for text in texts)


def test_times_and_bytes(names, small):
    times = writing.times(small, names["step"], (4, 8))
    assert [one.length for one in times] == [4, 8] and all(one.without > 0 < one.cached for one in times)
    assert writing.cache_bytes(32, 32, 128, 4096, 2) == 2 * 2**30


def test_weights_are_counted_by_part(small):
    counts = {part: int(number.replace(",", "")) for part, number in model.weights_by_part(small)}
    assert sum(counts.values()) == sum(parameter.numel() for parameter in small.parameters())
    assert counts["attention"] == 2 * 4 * 16 * 16


def test_the_figures_show_the_numbers_that_they_are_given(figures, names):
    history = {"one layer": [(5, (KindLosses(1.0, 2.1, 1.7), {})), (10, (KindLosses(0.3, 2.0, 1.5), {}))]}
    plots.learning_curves(history)
    plots.products_by_distance(names["rotate"])
    plots.scores_and_losses([(5, torch.rand(2, 2)), (10, torch.rand(2, 2))], history["one layer"])
    plots.text_with_weights([Example("Nelako saw Nel", [0.0] * 3 + [0.9] + [0.0] * 10, "a")])
    plots.times_by_length([WritingTimes(64, 9.0, 2.0), WritingTimes(128, 20.0, 2.1)])
    plots.plain_losses({"norm before": [(0, 1.5), (24, 0.5)], "norm after": [(0, 2.5), (24, 1.0)]}, "place", limit=12)
    curves, products, scores, text, times, plain = figures
    ends = [line.get_ydata()[-1] for line in curves.axes[0].lines]
    assert ends == [0.3, 2.0, 1.5, DICE]
    lines = [torch.tensor(line.get_ydata()) for line in products.axes[0].lines]
    assert len(lines) == 3 and torch.allclose(lines[0], lines[2], atol=1e-3)
    assert [len(ax.lines) for ax in scores.axes] == [4, 1]
    darkest = max(text.axes[0].patches, key=lambda square: square.get_alpha() or 0.0)
    assert (darkest.get_x(), darkest.get_alpha()) == (2.5, math.sqrt(0.9))
    assert {one.get_color() for one in text.axes[0].texts} == {"white", INK}  # which is light on a dark page
    assert [list(line.get_ydata()) for line in times.axes[0].lines] == [[9.0, 20.0], [2.0, 2.1]]
    assert [list(line.get_ydata()) for line in plain.axes[0].lines[:2]] == [[1.5, 0.5], [2.5, 1.0]]
