"""Numbers that the lessons' prose claims, counted again from what they are about."""

import itertools
import re

import numpy as np
import pytest

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.lesson.text import Lesson
from autograder.lesson.translation import prose
from benchmarks import seq2seq, train_scene_features
from utils.attention.sequences import LENGTH, WIDTH, generate
from utils.captioning.layers import TransformerDecoderLayer
from utils.captioning.scenes import scene as scenes
from utils.captioning.stand_ins import TorchAttention, stand_ins
from utils.gpt.tales.grammar import DICE
from utils.gpt.writing import BEGINNING, cache_bytes
from utils.seq2seq import explorer

HOURS, PARTS = {"two": 2, "three": 3, "four": 4}, {"": 0, "quarter": 15, "half": 30}


def text_of(name: str) -> str:
    return "\n\n".join(prose(Lesson.load(name, WORKBOOK)))


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_the_sections_times_add_up_to_the_lessons(name):
    text = text_of(name)
    total = re.search(r"It takes about ([a-z ]+) hours; times are given beside the headings", text)
    sections = re.findall(r"^## \d+\. .*\(about (\d+) minutes\)$", text, flags=re.MULTILINE)
    optional = re.findall(r"^## \d+\. .*\(optional, about (\d+) minutes\)$", text, flags=re.MULTILINE)
    assert total and len(sections + optional) == len(re.findall(r"^## \d+\. ", text, flags=re.MULTILINE)) >= 6
    assert all(int(minutes) <= 30 for minutes in sections + optional)
    hours, _, part = total[1].partition(" and a ")
    apart = re.search(r"Section (\d+), [^.]*, takes (\d+) minutes more", text)
    if apart:  # a section that the lesson does not count among its hours
        sections.remove(apart[2])
    assert abs(sum(map(int, sections)) - 60 * HOURS[hours] - PARTS[part]) < 8


def test_enough_convolutions_reach_the_farthest_partner():
    claimed = re.search(r"may be (\d+) points away, so (\d+) layers", text_of("attention"))
    assert claimed
    distance, layers = map(int, claimed.groups())
    assert distance == LENGTH - WIDTH  # one shape at the left end, its partner at the right
    assert layers == -(-distance // 2)  # each layer of kernel 5 adds 2 points on either side
    assert f"With {layers} layers, each point would see {2 * layers} points" in text_of("attention")


def test_the_features_network_has_seen_twins_of_the_unseen_scenes():
    rng = np.random.RandomState(train_scene_features.SEED)
    known = {scenes.random_scene(rng).meaning for _ in range(train_scene_features.PICTURES)}
    unseen = scenes.make_scenes()["val"]
    twins = sum(scene.meaning in known for scene in unseen)
    assert f"{twins} of our {len(unseen):,} scenes have a twin among the 40,000" in text_of("captioning")
    assert train_scene_features.PICTURES == 40_000


def table(benchmark: str, first: str) -> list[list[str]]:
    """The cells of the rows below the heading row that begins with `first`, of benchmarks/`benchmark`.md."""
    lines = (ROOT / "benchmarks" / f"{benchmark}.md").read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {first} |"))
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines[start + 2 :])
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def curves_of(model: str, first: str = "pairs | model") -> list[dict[str, float]]:
    """BLEU of every seed, over all ("all") and by the length of the French sentence ("27")."""
    rows = [row for row in table("seq2seq", first) if row[:2] == ["embedded", model]]
    assert [row[2] for row in rows] == ["0", "1", "2", "3", "4"]
    return [
        {"all": float(row[4])} | {length: float(score) for score, length in re.findall(r"(\d+) \((\d+)\)", row[5])}
        for row in rows
    ]


def kept_of_bleu(model: str) -> list[float]:
    """BLEU at 27 words as a share of that at 5, for every seed."""
    return [curve["27"] / curve["5"] for curve in curves_of(model)]


def test_with_one_vector_long_sentences_lose_more_than_half_of_their_bleu_and_with_attention_little_on_every_seed():
    assert all(share < 0.5 for share in kept_of_bleu("one vector"))
    assert all(share > 0.85 for share in kept_of_bleu("attention"))


def test_the_mean_of_all_states_is_worth_hardly_more_than_one_vector_on_every_seed():
    """The lesson asks which of its rows the control resembles; the answer must be the same on every run."""
    uniform, dot = (curves_of(control, "pairs | score") for control in ("uniform", "dot product"))
    for mean, vector, additive, scaled in zip(
        uniform, curves_of("one vector"), curves_of("attention"), dot, strict=True
    ):
        assert abs(mean["all"] - vector["all"]) < 5 < 20 < additive["all"] - mean["all"]
        assert abs(scaled["all"] - additive["all"]) < 2


def test_bleu_of_the_real_sentences_is_what_was_measured():
    claimed = re.search(r"BLEU was (\d+) in our only run", text_of("seq2seq"))
    rows = {row[1]: float(row[4]) for row in table("seq2seq", "pairs | model") if row[0] == "real"}
    assert claimed and int(claimed[1]) == round(rows["one vector"])


def test_by_the_dot_product_one_is_not_the_most_like_oneself():
    claimed = re.search(r"He scores (\d+) with himself, but (\d+) with Ana", text_of("seq2seq"))
    (cell,) = (cell for cell in Lesson.load("seq2seq", WORKBOOK).cells if cell.name == "ratings")
    names: dict = {}
    exec("import torch\n" + cell.source, names)
    ana, bo = names["ratings"][:2]
    assert claimed and tuple(map(float, claimed.groups())) == (float(bo @ bo), float(bo @ ana))


def test_the_explorer_begins_with_the_word_that_the_lesson_names():
    claimed = re.search(
        r"opens with \*elle porte une robe rouge \.\* and points at \*red\*, the (\w+) word", text_of("seq2seq")
    )
    translation = ["she", "s", "wearing", "a", "red", "dress", "."]  # what the lesson's translator writes
    assert claimed and claimed[1] == "fifth" and translation[5 - 1] == "red" and explorer.POINTED == 5


def test_the_language_models_page_begins_with_the_text_that_the_lesson_names():
    assert f"The first text is *{BEGINNING}*, and the page points at its last letter" in text_of("gpt")
    *told, last = BEGINNING.split()
    assert sum(name.startswith(last) for name in told) == 1 and last not in told  # a name told before goes on


def test_the_lesson_trains_as_long_as_its_benchmark():
    code = "\n".join(cell.source for cell in Lesson.load("seq2seq", WORKBOOK).cells)
    epochs = re.search(r"^EPOCHS = (\d+) if", code, flags=re.MULTILINE)
    assert epochs and int(epochs[1]) == seq2seq.EPOCHS


def test_one_head_is_behind_the_complete_model_on_each_of_three_runs_as_the_lesson_says():
    text = text_of("captioning")
    assert "In each of our three runs, the model with one head did worse than the complete one" in text
    assert "another seed moves some models by more than ten points" in text
    complete, one_head, *_, no_mask = zip(
        *(
            [int(found[1]) if (found := re.search(r"(\d+)%", cell)) else None for cell in row[1:]]
            for row in table("captioning_training", "seed | complete")
        ),
        strict=True,
    )
    assert len(complete) == 3 and all(one < whole for one, whole in zip(one_head, complete, strict=True))
    assert max(one_head) - min(one_head) > 10 and all(share < 10 for share in no_mask if share is not None)


def test_a_recurrent_network_is_behind_on_each_of_five_runs_as_the_lesson_says():
    said = re.search(
        r"In each of our five runs, fewer captions of the recurrent network were true: (\d+)% to (\d+)%, against "
        r"(\d+)% to (\d+)% for the Transformer. BLEU-4 hardly shows the difference, with ([\d.]+) to ([\d.]+) against "
        r"([\d.]+) to ([\d.]+):",
        text_of("captioning"),
    )
    assert said
    transformer, recurrent = (table("captioning_training", head) for head in ("seed | CPU-s", "GRU, seed"))
    assert len(transformer) == len(recurrent) == 5
    for column, decimals, claimed in ((2, 0, said.groups()[:4]), (5, 2, said.groups()[4:])):
        measured = [[float(row[column].rstrip("%")) for row in rows] for rows in (recurrent, transformer)]
        assert [float(f"{edge(of):.{decimals}f}") for of in measured for edge in (min, max)] == list(
            map(float, claimed)
        )


def grid_table() -> dict[tuple[str, str, str], tuple[list[float], float, float]]:
    """By (seed, layer, word): the share of the weight on the named thing by head, in their mean, and by chance."""
    found = {}
    for seed, layer, word, *cells in table("captioning_grid", "seed | layer"):
        *heads, mean, chance = (float(cell.split()[0]) for cell in cells)
        found[seed, layer, word] = heads, mean, chance
    assert {seed for seed, _, _ in found} == {"0", "1", "2"} and len(found) == 18
    return found


def test_words_look_at_what_they_name_as_the_lesson_says():
    last = re.search(
        r"In two of the three runs, about (\d+)% of such a word's weight in the last layer is on the "
        r"places of the thing that it names; chance would give (\d+)%",
        text_of("captioning"),
    )
    first = re.search(
        r"in those two runs, about (\d+)% of the first layer's weight is on the thing; in the third run, "
        r"words for shapes look at their thing in the first layer \((\d+)%\), but in the last layer they look at it "
        r"no more than chance would \((\d+)%\)",
        text_of("captioning"),
    )
    assert last and first
    rows = grid_table()
    for layer, share in (("2", last[1]), ("1", first[1])):
        means = [mean for (seed, of, _), (_, mean, _) in rows.items() if of == layer and seed in "02"]
        assert abs(sum(means) / len(means) - int(share) / 100) < 0.01
        assert all(abs(mean - int(share) / 100) < 0.08 for mean in means)
    assert [round(100 * rows["1", layer, "shape"][1]) for layer in "12"] == [int(first[2]), int(first[3])]
    assert {round(100 * chance) for _, _, chance in rows.values()} == {int(last[2])}
    for seed in "012":
        of_seed = [row for key, row in rows.items() if key[:2] == (seed, "2")]
        assert max(max(heads) for heads, _, _ in of_seed) >= 0.7 and min(min(heads) for heads, _, _ in of_seed) < 0.35


def test_a_grid_describes_no_truer_than_one_vector_on_any_run_as_the_lesson_says():
    assert "in our four runs, the grid never gave more true captions" in text_of("captioning")
    runs = table("captioning_grid", "run | with the grid")
    assert len(runs) == 4
    for _, grid, vector in runs:
        assert float(grid.rstrip("%")) < float(vector.rstrip("%"))


def test_five_convolutions_are_larger_than_attention_and_no_better_than_four():
    controls = table("punchline", "seed | parameters")
    tasks = {(row[0], row[1]): (float(row[2]), float(row[3])) for row in table("punchline", "task")}
    assert len(controls) >= 2
    for seed, parameters, error, _ in controls:
        four, attention = tasks["1", seed]
        assert int(parameters.replace(",", "")) > 54_273
        assert 0.9 * four < float(error) and float(error) > 100 * attention


def test_errors_of_the_first_lesson_are_what_was_measured():
    text = text_of("attention")
    claimed = re.search(r"a mean squared error of (\d+) squared heights", text)
    _, targets = generate(5_000, task=1, seed=0)
    assert claimed and round(float(targets.var())) == int(claimed[1])
    tasks = {(row[0], row[1]): (float(row[2]), float(row[3])) for row in table("punchline", "task")}
    for seed in "01234":
        left = tasks["2", seed][0]
        assert round(left) == 2 and 200 < left / tasks["1", seed][1] < 1000


def test_the_feed_forward_part_is_as_large_as_the_lesson_says():
    claimed = re.search(r"holds (\d+)% of a layer's weights at our width of (\d+)", text_of("captioning"))
    assert claimed
    with stand_ins(TorchAttention):
        layer = TransformerDecoderLayer(int(claimed[2]), 4)
    weights = {name: part.numel() for name, part in layer.named_parameters()}
    of_feed_forward = sum(number for name, number in weights.items() if name.startswith("linear"))
    assert round(100 * of_feed_forward / sum(weights.values())) == int(claimed[1])


def table_in(name: str, head: str) -> list[list[str]]:
    """The rows of a table in a lesson's prose, found by how its first row starts."""
    (printed,) = re.findall(rf"(?m)^\| {re.escape(head)}.*\n\| --- .*\n((?:\|.*\n?)+)", text_of(name) + "\n")
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in printed.splitlines()]


def runs_of_gpt() -> dict[str, dict[str, tuple[float, float, float]]]:
    """The losses of plain, first and again by model and seed."""
    found: dict[str, dict[str, tuple[float, float, float]]] = {}
    for model, seed, _, _, *losses, _ in table("gpt", "model | seed"):
        plain, first, again = map(float, losses)
        found.setdefault(model, {})[seed] = plain, first, again
    return found


def test_two_layers_learn_a_name_in_one_reading_and_one_layer_does_not_on_any_seed():
    runs = runs_of_gpt()
    assert set(runs["two layers"]) == set("01234") and len(runs) == 3
    for model, seeds in runs.items():
        for seed, (_, first, again) in seeds.items():
            assert first > 2.0 and (again <= 0.15 if model == "two layers" else again >= 1.3), (model, seed)


def test_one_layer_as_large_as_two_comes_near_them_on_no_seed_as_the_lesson_says():
    assert "with five seeds, and it never came near the two layers" in text_of("gpt")
    runs = runs_of_gpt()
    assert all(runs["one layer, wider"][seed][2] > 1.4 > 0.2 > runs["two layers"][seed][2] for seed in "01234")


def test_both_models_end_above_the_dice_and_two_layers_come_closer_without_their_heads_on_every_seed():
    """*First*: who looks for a name where none was told yet does worse than the dice."""
    assert "Both models end a little *above* the 2.02 of the dice, with each of our five seeds" in text_of("gpt")
    one_layer = [float(row[5]) for row in table("gpt", "model | seed") if row[0] == "one layer"]
    assert len(one_layer) == 5 and min(one_layer) > DICE + 0.08
    rows = table("gpt", "seed | heads off (their scores)")
    for seed in "01234":
        none, *_, named, _ = [row for row in rows if row[0] == seed]
        assert float(none[3]) > DICE + 0.08 > float(named[3]) > DICE, seed


def test_without_the_heads_that_the_score_names_only_the_names_are_lost():
    """The rows of a seed: none off, one head more in each, and in the last row all that the score does not name."""
    for first in ("seed | heads off (their scores)", "seed, a fifth left out"):
        rows = table("gpt", first)
        for seed in {row[0] for row in rows}:
            none, *_, named, others = [[float(cell) for cell in row[2:]] for row in rows if row[0] == seed]
            assert named[0] - none[0] <= 0.1 and named[2] - none[2] >= 1.0, (first, seed)
            assert others[2] - none[2] <= 0.25, (first, seed)


def test_three_heads_share_the_work_on_each_seed():
    assert "In our five runs, three heads of the second layer shared it" in text_of("gpt")
    rows = table("gpt", "seed | heads off (their scores)")
    for seed in "01234":
        none, best, *_, named, _ = [row for row in rows if row[0] == seed]
        assert len(named[1].split(", ")) == 3 and float(best[4]) - float(none[4]) < 1, seed


def test_if_every_row_is_whole_the_same_heads_copy_plain_words_as_the_lesson_says():
    assert "and *plain* suffers as well" in text_of("gpt")
    rows = table("gpt", "seed, all rows whole")
    rises = [float(off[2]) - float(none[2]) for none, off in zip(rows[::2], rows[1::2], strict=True)]
    assert len(rises) == 2 and all(rise > 0.2 for rise in rises)


def test_at_a_low_temperature_sentences_are_well_formed_and_names_new():
    rows = [row for row in table("gpt", "seed | temperature") if row[1] == "0.5"]
    assert [row[0] for row in rows] == list("01234")
    assert all(int(row[2].rstrip("%")) >= 95 and int(row[3].rstrip("%")) >= 90 for row in rows)


def test_shared_keys_take_as_many_weights_and_bytes_as_the_lesson_says():
    rows = table_in("gpt", "heads that look")
    assert [row[1] for row in rows] == ["4", "2", "1"]
    (whole,) = {row[2] for row in table("gpt", "model | seed") if row[0] == "two layers"}
    for heads, shared, weights, cached in rows:
        saved = 2 * 2 * 96 * (int(heads) - int(shared)) * 24  # of two layers, a key and a value each
        assert int(weights.replace(",", "")) == int(whole.replace(",", "")) - saved
        assert int(cached.replace(",", "")) == cache_bytes(2, int(shared), 24, 1024, 4)


def test_what_attention_costs_is_what_the_lesson_says():
    text, kernel = text_of("attention"), 5
    for layer in (r"$k\,T D^2$", r"$3\,T D^2 + 2\,T^2 D$"):
        assert f"| {layer} |" in text
    source = (ROOT / "source" / "attention" / "lesson.py").read_text(encoding="utf-8")
    width = int(re.search(r"SelfAttentionLayer\((\d+), \1, key_dim=\1\)", source)[1])
    attention, convolution = 3 * LENGTH * width**2 + 2 * LENGTH**2 * width, kernel * LENGTH * width**2
    assert (
        f"attention costs {attention / 1e6:.1f} million multiplications and a convolution {convolution / 1e6:.1f}"
        in text
    )


# What the lessons say of how long a cell takes, and the seconds that are meant.
TIMES = [
    ("attention", "train_conv", "Training takes about 15 seconds.", 15),
    ("attention", "train_attention", "the whole training takes about 25 seconds.", 25),
    (
        "attention",
        "train_five",
        "(training takes about 17 seconds, only a little longer than with four convolutions)",
        17,
    ),
    ("attention", "train_task_2", "5,000 steps, to be generous (about a minute)", 60),
    ("attention", "train_position", "(Training takes about a minute, which gives you time to think", 60),
    ("captioning", "overfit", "after a minute or so", 60),
    ("captioning", "train_on_scenes", "Training takes less than a minute on two cores.", 60),
    ("captioning", "recurrent", "It needs about a third of the Transformer's time.", 15),
    ("captioning", "train_on_grid", "Training takes less than a minute.", 60),
    ("captioning", "ablation", "All this takes two or three minutes", 150),
    ("seq2seq", "train_plain", "Training takes about a minute.", 60),
    ("seq2seq", "train_attention", "the same functions. This takes another minute.", 60),
    ("seq2seq", "controls", "in the same way as the others, which takes a minute.", 60),
    ("gpt", "train_both", "One layer takes about three quarters of a minute, two layers a minute and a half.", 135),
    ("gpt", "norm_after", "train both kinds for 100 batches, half a minute each", 60),
    ("gpt", "longer", "The next cell trains such a model, which takes a good minute", 80),
    ("recall", "train_tables", "about half a minute in all", 30),
    ("recall", "train_controls", "Training them takes less than half a minute in all.", 30),
    ("recall", "train_twice", "Training both takes about a quarter of a minute.", 15),
    ("recall", "train_delta", "training takes about a quarter of a minute", 15),
]


def times_of(name: str) -> dict[str, float]:
    """Wall seconds by cell, of those of two seconds and more; and of all that is not optional."""
    lines = (ROOT / "benchmarks" / "lesson_times.md").read_text(encoding="utf-8").partition(f"\n## {name}\n")[2]
    rows = [line.strip("|").split("|") for line in lines.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    return {row[1].strip(" `"): float(row[3]) for row in rows[2:]}


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_cells_take_as_long_as_the_lesson_says_and_a_lesson_three_minutes(name):
    measured, text = times_of(name), text_of(name)
    assert measured["all that is not optional"] <= 180
    claimed = {cell: (said, seconds) for lesson, cell, said, seconds in TIMES if lesson == name}
    for cell, (said, seconds) in claimed.items():
        assert said in text, said
        assert seconds / 4 < measured[cell] < 1.5 * seconds, cell
    assert [c for c, wall in measured.items() if wall > 10 and c not in claimed and not c.startswith("all ")] == [
        "what is optional"
    ] * (measured["what is optional"] > 10)


def test_what_two_translators_made_of_a_sentence_unlike_the_corpus():
    (answers,) = (row[1:] for row in table("explorers", "sentence") if row[0] == "elle est belle .")
    assert "wrote *{}*, another one *{}*".format(*answers) in text_of("seq2seq")
