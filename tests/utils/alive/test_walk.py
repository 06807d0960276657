"""The way through a model: what each part adds is what PyTorch computes, it adds up, and every stage can be shown."""

import re

import pytest
import torch

from tests.helpers.alive import captioner, in_node, language_model
from tests.utils.alive import test_captioning, test_gpt
from utils.captioning import explorer as captioning
from utils.gpt import explorer as gpt
from utils.gpt import looking

# A page that shows a word as its key with its values, and numbers as they are.
PAGE = "{say: (key, values) => key + JSON.stringify(values ?? {}), number: String, percent: String}"
# All that the stages of a walk show; what buttons do is left out.
SHOWN = "walk.stages.map(({name, picture}) => ({name, ...picture()}))"
GPT = f"""(() => {{
    const {{load, memory, read}} = module_gpt_page_model, model = load(given.model), i = given.letters.length - 1;
    const known = read(model, memory(model, given.letters.length), given.letters, given);
    const parts = module_gpt_page_path.added(model, known, given.letters, i);
    const walk = it.walkOf({PAGE}, model, {{letters: given.letters, known}},
        {{i, layer: 0, head: 1, read: null, explained: null, alphabet: given.alphabet, temperature: 0.5, ...given}});
    return {{
        parts, logits: module_gpt_page_path.toLogits(model, parts), shown: {SHOWN},
        feeds: model.blocks.length > 1 && module_gpt_page_path.feeds(model, known, given.letters, i, given.mistake),
    }};
}})()"""
CAPTIONING = f"""(() => {{
    const {{load, write}} = module_captioning_page_writer, {{added, toScores}} = module_captioning_page_path;
    const model = load(given.model), features = given.features[0].map((place) => Float32Array.from(place));
    const written = write(model, features, {{forced: given.words[0], mistake: given.mistake}}), row = written.rows[3];
    const parts = added(model, row, {{word: given.words[0][2], position: 3, mistake: given.mistake}});
    const walks = module_captioning_page_way.headsOf(row).map((head) => it.walkOf({PAGE}, model, written, {{
        ...head, word: 3, n: 1, explained: null, mistake: given.mistake, vocabulary: given.vocabulary, name: String,
    }}));
    return {{
        parts, logits: toScores(model, parts), scores: row.scores,
        shown: walks.map((walk) => {SHOWN}),
    }};
}})()"""
LETTERS = [*"\n Nelako met Sirute. Ne"]


def walked(model, **given):
    message = test_gpt.exported(model)
    letters = [message["letters"].index(letter) for letter in LETTERS]
    sent = {"model": message["models"][0], "letters": letters, "alphabet": message["letters"], "mistake": "", **given}
    return in_node("gpt/page/way.js", GPT, sent), torch.tensor([letters])


def mistakes_of(lesson):
    return ["", *(key.removeprefix("mistake_") for key in lesson.WORDS if key.startswith("mistake_"))]


def stages(shown) -> dict:
    """The pictures by name, after checking that all numbers in them are numbers, and that all strips are of numbers."""
    for picture in shown:
        assert not re.search(r"NaN|undefined|null|Infinity", str(picture)), picture["name"]
        assert all(value is not None for row in picture.get("vectors", []) for value in row["values"])
    return {picture["name"]: picture for picture in shown}


@torch.no_grad()
def test_what_the_parts_of_a_language_model_add_is_what_torch_computes():
    model = test_gpt.halved(language_model(2))
    found, letters = walked(language_model(2))
    x = model.embedding(letters)
    expected = [x[0, -1]]
    for block in model.blocks:
        whole = block.attention(block.norm1(x))
        for head in range(2):
            weight = block.attention.proj.weight.clone()
            block.attention.proj.weight[:, 8 * head : 8 * head + 8] = 0
            expected.append((whole - block.attention(block.norm1(x)))[0, -1])
            block.attention.proj.weight.copy_(weight)
        x = x + whole
        expected.append(block.feed_forward(block.norm2(x))[0, -1])
        x = x + block.feed_forward(block.norm2(x))
    assert torch.allclose(torch.tensor([one["vector"] for one in found["parts"]]), torch.stack(expected), atol=1e-5)
    logits = torch.tensor(found["logits"])
    root = (x[0, -1].square().mean() + model.norm.epsilon).sqrt()
    assert torch.allclose(logits, torch.stack(expected) * model.norm.gain / root @ model.output.weight.T, atol=1e-5)
    assert torch.allclose(logits.sum(0), model(letters)[0, -1], atol=1e-5)


@torch.no_grad()
def test_the_parts_of_the_first_layer_add_up_to_the_lead_of_the_second():
    model = test_gpt.halved(language_model(2))
    found, letters = walked(language_model(2))
    for head, one in zip(looking.looks(model, letters)[1][0, :, -1], found["feeds"], strict=True):
        scores = head.log()  # but for a number that is the same for all places
        assert one["t"] == int(scores.argmax()) and len(one["leads"]) == 1 + 2 + 1
        assert sum(one["leads"]) == pytest.approx(float(scores.max() - scores.mean()), abs=1e-4)


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("mistake", mistakes_of(gpt))
def test_every_stage_of_a_letter_is_shown(layers, mistake):
    found, _ = walked(language_model(layers), mistake=mistake)
    shown = stages(found["shown"])
    assert ("feeds" in shown) == (layers == 2) and len(shown) == 7 + layers
    query, key, product = (torch.tensor(row["values"]) for row in shown["score"]["vectors"])
    assert torch.allclose(query * key, product, atol=1e-6)
    for name in ("values", "stream"):
        *rows, total = (torch.tensor(row["values"]) for row in shown[name]["vectors"])
        assert torch.allclose(sum(rows), total, atol=1e-5)
    chosen = next(bar for bar in shown["logits"]["bars"] if bar["on"])
    logit = float(chosen["text"].split('"from":"')[1].split('"')[0])
    assert sum(float(bar["text"]) for bar in shown["adds"]["bars"]) == pytest.approx(logit, abs=1e-5)


def test_what_the_parts_of_a_captioner_add_is_what_torch_computes():
    model, words = captioner()
    message, features, rows = test_captioning.given(model, words, 1)
    found = in_node("captioning/page/way.js", CAPTIONING, message | {"vocabulary": words})
    sent, at = test_captioning.rounded(model), 3
    read = torch.cat([torch.tensor([[message["model"]["start"]]]), rows[:, :at]], 1)
    with torch.no_grad():
        expected = sent(features, read)[0, at]
    logits = torch.tensor(found["logits"])
    assert torch.allclose(logits.sum(0), expected, atol=1e-5)
    assert torch.allclose(torch.tensor(found["scores"]), expected, atol=1e-5)
    # What a part adds, with all scales held, is its vector times the gradient of the scores by this vector.
    inserted, names = direct(sent, features, read, at)
    for name, vector, ours in zip(names, inserted, found["parts"][1:], strict=True):
        assert name == (ours["kind"], ours["layer"], ours["head"])
        jacobian = torch.stack([torch.autograd.grad(one, vector, retain_graph=True)[0] for one in direct.scores])
        computed = logits[1 + names.index(name)]
        assert torch.allclose(computed, jacobian @ vector.detach(), atol=1e-4), name


def direct(model, features, read, at):
    """Return the parts of a position's stream as leaves, and their names; `direct.scores` are the scores from them."""

    def leaf(vector):
        leaves.append(vector.detach().clone().requires_grad_())
        return leaves[-1]

    def norm(layer, x):
        scale = (x.detach().var(unbiased=False) + layer.eps).rsqrt()
        return (x - x.mean()) * scale * layer.weight + layer.bias

    def heads(attention, query, key, mask=None):
        query, key = query.detach(), key.detach()
        whole = attention(query, key, key, mask)[0, at]
        weight = attention.proj.weight.data.clone()
        for head in range(2):
            attention.proj.weight.data[:, 6 * head : 6 * head + 6] = 0
            yield leaf(whole - attention(query, key, key, mask)[0, at])
            attention.proj.weight.data.copy_(weight)
        yield attention.proj.bias

    leaves, names = [], [("word", -1, -1), ("position", -1, -1)]
    mask = torch.ones(at + 1, at + 1).tril().bool()
    word = model.embedding(read)
    whole, memory = model.positional_encoding(word), model.visual_projection(features)
    x = leaf(word[0, at]) + leaf(whole[0, at] - word[0, at])
    for number, layer in enumerate(model.transformer.layers):
        x = norm(layer.norm1, sum(heads(layer.self_attn, whole, whole, mask), x))
        seen = layer.norm1(whole + layer.self_attn(whole, whole, whole, mask))
        x = norm(layer.norm2, sum(heads(layer.multihead_attn, seen, memory), x))
        x = norm(layer.norm3, x + leaf(layer.ffn(x)))
        whole = layer(whole, memory, mask)
        names += [(kind, number, head) for kind in ("self", "cross") for head in range(2)] + [("thought", number, -1)]
    direct.scores = model.output(x)
    return leaves, names


@pytest.mark.parametrize("mistake", mistakes_of(captioning))
def test_every_stage_of_a_word_is_shown(mistake):
    model, words = captioner()
    message, _, _ = test_captioning.given(model, words, 1, mistake)
    found = in_node("captioning/page/way.js", CAPTIONING, message | {"vocabulary": words})
    assert torch.allclose(torch.tensor(found["logits"]).sum(0), torch.tensor(found["scores"]), atol=1e-4)
    heads = {"heads_ignored": 4, "one_layer_only": 4}.get(mistake, 8)
    assert len(found["shown"]) == heads
    for pictures in found["shown"]:
        shown = stages(pictures)
        for name in ("values", "stream"):
            *rows, total = (torch.tensor(row["values"]) for row in shown[name]["vectors"])
            assert torch.allclose(sum(rows), total, atol=1e-5)
        weights = [float(bar["share"]) for bar in shown["weights"]["bars"]]
        said = re.findall(r'"weight":"([^"]+)"', shown["weights"]["lines"][-1])
        assert len(shown) == 8 and weights == sorted(weights, reverse=True) and len(said) == 1
