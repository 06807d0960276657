"""The explorer of `gpt` computes what PyTorch computes, and writes as the lesson writes."""

import copy

import numpy as np
import pytest
import torch
from torch import nn

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.lesson.text import Lesson
from tests.helpers.alive import in_node, language_model, nucleus, numbers, rotate, scored, unseen_tales
from utils.alive.weights import CannotExport
from utils.gpt import explorer, exporting, looking
from utils.gpt.tales.judge import judge
from utils.gpt.tales.letters import END, LETTERS, decode, encode

READ = """(() => { const model = it.load(given.model), {start, alone, mistake = ""} = given;
    const off = (given.off ?? []).map((one) => new Set(one));
    const split = (all) => [all.slice(0, start), ...all.slice(start).map((one) => [one])];
    return given.texts.map((letters) => {
        const known = it.memory(model, start ?? letters.length);
        for (const some of alone ? split(letters) : [letters]) it.read(model, known, some, {off, mistake});
        return {logits: known.logits, looks: known.layers.map((layer) => layer.looks)};
    });
})()"""
WRITE = """given.options.map((options) => it.written(module_gpt_page_model.load(given.model), given.start,
    {...given, ...options, off: (options.off ?? []).map((one) => new Set(one))}).letters)"""


def halved(model):
    """The model with its weights as the message carries them."""
    return copy.deepcopy(model).half().float().eval()


def exported(*models):
    return exporting.exported({f"{n}": one for n, one in enumerate(models)}, unseen_tales(), scored, nucleus)


def read(model, texts, **given):
    """The logits (S, V) that the page computes for each text."""
    given = {"model": exported(model)["models"][0], "texts": texts, **given}
    return [torch.tensor(one["logits"]) for one in in_node("gpt/page/model.js", READ, given)]


def texts(count, longest=24):
    rng = np.random.default_rng(0)
    return [rng.integers(0, len(LETTERS), rng.integers(1, longest)).tolist() for _ in range(count)]


@pytest.mark.parametrize("layers", [1, 2])
@torch.no_grad()
def test_the_page_computes_what_torch_computes_on_a_hundred_inputs(layers):
    model = language_model(layers)
    rounded = halved(model)
    for text, found in zip(texts(100), read(model, texts(100)), strict=True):
        letters = torch.tensor([text])
        assert (found - rounded(letters)[0]).abs().max() < 1e-5
        assert (found - model(letters)[0]).abs().max() < 5e-3 * found.abs().max()


@torch.no_grad()
def test_the_page_looks_where_the_model_looks():
    model = language_model(2)
    (text,) = texts(1, longest=2000)
    given = {"model": exported(model)["models"][0], "texts": [text[:30]]}
    (found,) = in_node("gpt/page/model.js", READ, given)
    expected = looking.looks(halved(model), torch.tensor([text[:30]]))
    for layer, weights in zip(found["looks"], expected, strict=True):
        for place, of_heads in enumerate(layer):
            assert torch.allclose(
                torch.tensor(of_heads, dtype=torch.float32), weights[0, :, place, : place + 1], atol=1e-5
            )


def test_letters_one_by_one_give_what_all_together_give():
    model, (text,) = language_model(2), texts(1, longest=2000)
    (together,) = read(model, [text[:30]])
    (alone,) = read(model, [text[:30]], start=7, alone=True)
    assert torch.allclose(together, alone, atol=1e-6)


@torch.no_grad()
def test_a_head_taken_away_adds_nothing():
    model, (text,) = language_model(2), texts(1, longest=2000)
    (found,) = read(model, [text[:30]], off=[[], [1]])
    without = halved(model)
    without.blocks[1].attention.proj.weight[:, 8:] = 0
    assert (found - without(torch.tensor([text[:30]]))[0]).abs().max() < 1e-5
    assert (found - model(torch.tensor([text[:30]]))[0]).abs().max() > 0.01


@torch.no_grad()
def test_switches_of_the_model_compute_what_the_mistakes_compute():
    model, (text,) = language_model(2), texts(1, longest=2000)
    text, start = text[:20], 8
    options = {
        "attention_no_mask": {"masked": False},
        "attention_values_turned": {"values_turned": True},
        "attention_no_scale": {"scale": 1.0},
        "step_no_offset": {"rotate": lambda x, _=0: torch.cat([rotate(x[:, :, :start]), x[:, :, start:]], 2)},
    }
    right = halved(model)(torch.tensor([text]))[0]
    for mistake, changed in options.items():
        wrong = halved(model)
        for block in wrong.blocks:
            vars(block.attention).update(changed)
        (found,) = read(model, [text], start=start, mistake=mistake)
        assert (found - wrong(torch.tensor([text]))[0]).abs().max() < 1e-4, mistake
        assert (found - right).abs().max() > 0.01, mistake


def test_a_nucleus_is_the_lessons_and_its_switches_are_the_mistakes():
    logits = torch.linspace(-2, 3, len(LETTERS)).roll(7)
    told = {"logits": logits.tolist(), "temperature": 0.7, "topP": 0.8}
    given = [told, *({**told, "mistake": f"nucleus_{name}"} for name in ("temperature_multiplied", "not_sorted"))]
    found = torch.tensor(in_node("gpt/page/writer.js", "given.map((one) => it.nucleus(one.logits, one))", given))
    p = (logits / 0.7).softmax(0)
    along = torch.where(p.cumsum(0) - p < 0.8, p, 0)
    expected = nucleus(logits[None], 0.7, 0.8)[0], nucleus(logits[None], 1 / 0.7, 0.8)[0], along / along.sum()
    for ours, theirs in zip(found, expected, strict=True):
        assert torch.allclose(ours, theirs, atol=1e-6)
    probe = exported(language_model(1))["probe"]
    assert np.allclose(numbers(probe["output"]), expected[0], atol=1e-6)


def test_a_text_depends_on_the_dice_and_on_what_is_chosen_by_hand():
    start = encode(END + "Ne").tolist()
    options = [
        {"seed": 1}, {"seed": 1}, {"seed": 2}, {"seed": 1, "forced": [None] * 5 + [3]},
        {"seed": 1, "off": [[0, 1], [0, 1]]}, {"seed": 2, "topP": 0.01}, {"seed": 3, "topP": 0.01},
        {"seed": 1, "mistake": "attention_no_mask", "longest": 12},
    ]  # fmt: skip
    given = {"model": exported(language_model(2))["models"][0], "start": start, "longest": 40, "end": -1}
    first, same, other, by_hand, fewer, likeliest, again, seeing = in_node(
        "gpt/page/writer.js", WRITE, {**given, "options": options}
    )
    assert first == same != other and len(first) == 40 and first[:3] == start and len(seeing) == 12
    assert by_hand[:6] == [*first[:5], 3] and fewer != first and likeliest == again


def test_the_dice_are_fair_enough():
    thrown = in_node("gpt/page/writer.js", "Array.from({length: 4000}, (_, n) => it.dice(n % 40, Math.floor(n / 40)))")
    counts = np.histogram(thrown, bins=10, range=(0, 1))[0]
    assert counts.sum() == 4000 and counts.min() > 340 and counts.max() < 460
    chosen = "given.map((thrown) => it.chosen([0, 0.25, 0, 0.75, 0], thrown))"
    assert in_node("gpt/page/writer.js", chosen, [0.0, 0.2, 0.3, 1.0]) == [1, 1, 3, 3]


def test_names_and_sentences_are_judged_as_the_grammar_judges_them():
    told = [decode(row).strip(END).split(END)[0] for row in unseen_tales().letters[:3]]
    told += ["Nelako met Siru. Nelako saw Sirute by the mill. nelako saw Sirute. Ne", "Nelako saw"]
    given = {"texts": told, "sentence": exported(language_model(1))["sentence"]}
    expression = """given.texts.map((text) => (
        {...it.judged(text, given.sentence), names: it.names(text).map((one) => one.name)}))"""
    for text, found in zip(told, in_node("gpt/page/tale.js", expression, given), strict=True):
        judgement = judge(text)
        assert (found["good"], found["of"]) == (judgement.well_formed, judgement.sentences)
        assert set(judgement.names) <= set(found["names"]) <= {*judgement.names, "Nelako"}
    again = in_node(
        "gpt/page/tale.js", "it.names(given).map((one) => [one.number, one.again])", "Bo met Da. Da saw Bo. Bo"
    )
    assert again == [[0, False], [1, False], [1, True], [0, True]]


def test_the_page_knows_the_losses_of_a_tale_and_the_heads_that_the_score_names():
    model, data = halved(language_model(2)), exported(language_model(2))
    letters = torch.tensor([data["tale"]["letters"]])
    with torch.no_grad():
        losses = nn.functional.cross_entropy(model(letters)[0, :-1], letters[0, 1:], reduction="none")
    expression = "it.lossOf(module_gpt_page_model.load(given.models[0]), given.tale, 3)"
    expected = float(losses[torch.tensor(data["tale"]["kinds"][1:]) == 3].mean())
    assert in_node("gpt/page/trials.js", expression, data) == pytest.approx(expected, abs=1e-4)
    named = "given.map((scores) => it.namedIn(scores, 0.25).map((one) => [...one]))"
    assert in_node("gpt/page/heads.js", named, [[[0.9, 0.1], [0.3, 0.2]], [[0.9], [0.1]]]) == [[[], [0]], [[], [0]]]


def test_a_tale_begins_up_to_a_name_told_again():
    data = exported(language_model(1))
    first, second, _ = data["beginnings"]
    told = decode(torch.tensor(data["tale"]["letters"])).strip(END)
    name = second.split(" ")[-1]
    assert first == exporting.BEGINNING and told.startswith(second)
    assert len(name) == 2 and any(word.startswith(name) for word in second.split(" ")[:-1])


def test_every_switch_is_a_mistake_of_the_catalogue():
    switches = [key.removeprefix("mistake_") for key in explorer.WORDS if key.startswith("mistake_")]
    assert 4 <= len(switches) <= 6 and set(switches) <= set(mistakes.load(Lesson.load("gpt", WORKBOOK)))


def test_what_the_page_cannot_compute_is_refused():
    model = language_model(1)
    model.blocks[0].attention.key = nn.Linear(16, 8, bias=False)
    with pytest.raises(CannotExport, match="the part Looking"):
        exported(model)
    model = language_model(1)
    model.embedding = nn.Sequential(model.embedding)
    with pytest.raises(CannotExport, match="the part Sequential"):
        exported(model)


def test_the_picture_has_the_head_with_the_highest_score(figures):
    import matplotlib.pyplot as plt

    model, rows = language_model(2), unseen_tales()
    figure = plt.figure()
    explorer.draw(figure, model=model, rows=rows, induction_score=scored)
    (axes,) = figure.axes
    layer, head = divmod(int(looking.scores_of(model, scored, rows).argmax()), 2)
    shown = looking.examples(model, rows, layer, head, count=explorer.SHOWN)
    letters = "".join(text.get_text() for text in axes.texts if "→" not in text.get_text())
    assert shown and letters == "".join(example.text for example in shown)
