"""Runs the explorers' modules by node, without a browser; and small networks of the lessons' form to explore."""

import base64
import json
import math
import shutil
import subprocess
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.data import TensorDataset

from utils.alive.explorer import Explorer
from utils.alive.page import modules
from utils.attention import exporting
from utils.attention.sequences import generate
from utils.captioning import explorer as captioning
from utils.captioning.layers import MultiHeadAttention
from utils.captioning.model import CaptioningModel
from utils.captioning.scenes.grammar import vocabulary
from utils.captioning.stand_ins import LearnedEncoding, stand_ins
from utils.gpt import explorer as gpt
from utils.gpt import model as generation
from utils.gpt.tales.letters import LETTERS, Rows, unseen_rows
from utils.seq2seq import explorer as seq2seq
from utils.seq2seq import model as parts
from utils.seq2seq.training import beam_decode
from utils.seq2seq.vocabulary import Lang

NODE = shutil.which("node")


def in_node(entry: str, expression: str, given: object = None) -> Any:
    """Return the value of a JavaScript expression, in which `it` has a module's exports, and `given` is this value."""
    if NODE is None:
        pytest.skip("needs node")
    variable = "module_" + entry.removesuffix(".js").replace("/", "_")
    code = f"""{modules(entry)}
const it = {variable}, given = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify({expression}, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value)));"""
    ran = subprocess.run([NODE, "-e", code], input=json.dumps(given), capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def numbers(text: str) -> np.ndarray:
    """Return a probe's numbers."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4").copy()


class SelfAttention(nn.Module):
    """The lesson's layer, written with einsum; `softmax_over` is an axis that a mistake changes."""

    def __init__(self, width: int, softmax_over: int = 2):
        super().__init__()
        self.query, self.key, self.value = (nn.Conv1d(width, width, 1) for _ in range(3))
        self.softmax_over = softmax_over

    def forward(self, x, return_attention=False):
        scores = torch.einsum("ndi,ndj->nij", self.query(x), self.key(x))
        attention = scores.softmax(self.softmax_over)
        y = torch.einsum("nij,nej->nei", attention, self.value(x))
        return (y, attention) if return_attention else y


def network(channels: int = 1, attends: bool = True, width: int = 24, **options: int) -> nn.Sequential:
    """Return a network of the lesson's form, with weights so large that attention is not nearly uniform."""
    torch.manual_seed(channels)
    conv = [nn.Conv1d(a, b, 5, padding=2) for a, b in ((channels, width), (width, width), (width, width), (width, 1))]
    middle = [SelfAttention(width, **options)] if attends else []
    model = nn.Sequential(conv[0], nn.ReLU(), conv[1], nn.ReLU(), *middle, conv[2], nn.ReLU(), conv[3])
    with torch.no_grad():
        for weights in model.parameters():
            weights.mul_(2)
    return model.eval()


def sequences_of(task: int, bits: int = 0, count: int = 100) -> TensorDataset:
    """Return a test set, standardised like the lesson's, with `bits` channels for positions."""
    x, y = generate(count, task, seed=5)
    (x_mean, x_std), (y_mean, y_std) = exporting._heights(task)
    codes = (torch.arange(100) // 2 ** torch.arange(bits)[:, None] % 2 - 0.5).expand(count, -1, -1)
    return TensorDataset(torch.cat([(x - x_mean) / x_std, codes], 1), (y - y_mean) / y_std)


# Each of the lesson's networks, under its name: a function that makes it untrained, with its test set.
NETWORKS = {
    "task 1: convolutions": lambda: (network(attends=False), sequences_of(1)),
    "task 1: with attention": lambda: (network(), sequences_of(1)),
    "task 2: attention without position": lambda: (network(), sequences_of(2)),
    "task 2: attention with position": lambda: (network(8), sequences_of(2, bits=7)),
}


def four_networks() -> dict[str, tuple[nn.Module, TensorDataset]]:
    """Return untrained networks under the lesson's names."""
    return {name: make() for name, make in NETWORKS.items()}


class Heads(MultiHeadAttention):
    """The lesson's layer; the attributes are what a mistake changes."""

    scale: float | None = None
    softmax_over = -1
    masked = True

    def forward(self, query, key, value, attn_mask=None):
        def split(x):
            return x.unflatten(2, (self.num_heads, -1)).transpose(1, 2)

        q, k, v = split(self.query(query)), split(self.key(key)), split(self.value(value))
        scores = torch.einsum("nhsd,nhtd->nhst", q, k) * (self.scale or 1 / math.sqrt(q.shape[3]))
        if attn_mask is not None and self.masked:
            scores = scores.masked_fill(attn_mask == 0, -torch.inf)
        weights = self.attn_drop(scores.softmax(self.softmax_over))
        return self.proj((weights @ v).transpose(1, 2).flatten(2))


class Captioning(CaptioningModel):
    """The lesson's model."""

    def forward(self, features, captions):
        mask = torch.ones(captions.shape[1], captions.shape[1]).tril().bool()
        words = self.positional_encoding(self.embedding(captions))
        return self.output(self.transformer(words, self.visual_projection(features), tgt_mask=mask))


def captioner() -> tuple[Captioning, list[str]]:
    """Return an untrained model of two heads and two layers, with attention far from uniform; and its vocabulary."""
    words = ["<NULL>", "<START>", "<END>", "<UNK>", *vocabulary()]
    torch.manual_seed(0)
    with stand_ins(Heads, LearnedEncoding, feed_forward=23):
        model = Captioning({word: i for i, word in enumerate(words)}, 72, wordvec_dim=12, num_heads=2, max_length=20)
    with torch.no_grad():
        for name, weights in model.named_parameters():
            if weights.ndim > 1 and "place" not in name and "output" not in name:
                weights.mul_(8)
    return model.eval(), words


def explored_captioner(**options: object) -> Explorer:
    """Return the explorer of an untrained captioner; `options` change its self-attention."""
    model, words = captioner()
    for layer in model.transformer.layers:
        vars(layer.self_attn).update(options)
    return captioning.explore(model, ["scenes://val/0"], words, {word: i for i, word in enumerate(words)}, heads=2)


SENTENCES = ("elle porte une robe rouge .", "il te cherche .", "nous et vous cherchons une robe .")


class Additive(parts.AdditiveAttention):
    """The lesson's attention; `bend` and `weights` are what a mistake changes."""

    bend = staticmethod(torch.tanh)

    def __init__(self, *sizes):
        super().__init__(*sizes)
        self.v = nn.Parameter(torch.randn(sizes[-1]))

    def weights(self, scores):
        return scores.softmax(1)

    def forward(self, query, states, keys, mask):
        scores = self.bend(self.query_layer(query)[:, None] + keys) @ self.v
        weights = self.weights(scores.masked_fill(~mask, -torch.inf))
        return torch.einsum("nt,ntd->nd", weights, states), weights


class Decoder(parts.AttentionDecoder):
    """The lesson's decoder."""

    def step(self, word, hidden, memory):
        embedded = self.embedding(word)
        context, weights = self.attention(hidden, *memory)
        hidden = self.cell(torch.cat([embedded, context], 1), hidden)
        return self.output(torch.cat([hidden, context, embedded], 1)), hidden, weights


def summarise(states, mask):
    """Return the forward direction's last state, and the backward direction's state of the first word."""
    half = states.shape[2] // 2
    last = mask.sum(1) - 1
    return torch.cat([states[torch.arange(len(states)), last, :half], states[:, 0, half:]], 1)


def translator() -> tuple[parts.Translator, Lang, Lang]:
    """Return an untrained translator with attention far from uniform, and its vocabularies."""
    french, english = Lang("fra"), Lang("eng")
    for sentence in SENTENCES:
        french.addSentence(sentence)
    english.addSentence("she s wearing a red dress . he looks for you we and")
    torch.manual_seed(0)
    encoder = parts.Encoder(french.n_words, 6, 10)
    model = parts.Translator(encoder, Decoder(english.n_words, 6, 8, 10, Additive(8, 10, 7)), summarise)
    with torch.no_grad():
        for name, weights in model.named_parameters():
            if weights.ndim > 1 and "output" not in name:
                weights.mul_(2)
    return model.eval(), french, english


def greedy(model, source, mask, max_length):
    """Decode one sentence greedily, by a beam search of width 1."""
    return beam_decode(model, source, mask, max_length, width=1)


def explored_translator() -> Explorer:
    """Return the explorer of an untrained translator."""
    model, french, english = translator()
    return seq2seq.explore(model, SENTENCES, french, english, greedy)


class Norm(generation.RMSNorm):
    """The lesson's norm."""

    def forward(self, x):
        return nn.functional.rms_norm(x, x.shape[-1:], self.gain, self.epsilon)


def rotate(x, start=0):
    """Return the lesson's rotation, computed with complex numbers."""
    S, d = x.shape[-2:]
    angle = torch.outer(torch.arange(start, start + S).float(), 10000.0 ** (-torch.arange(0, d, 2) / d))
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angle), angle)).flatten(-2)


class Looking(generation.SelfAttention):
    """The lesson's attention; the attributes are what a mistake changes."""

    scale: float | None = None
    masked = True
    values_turned = False

    def look(self, x):
        query, key = (self.rotate(self.split(layer(x))) for layer in (self.query, self.key))
        scores = torch.einsum("nhsd,nhtd->nhst", query, key) * (self.scale or 1 / math.sqrt(self.head_dim))
        later = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
        return (scores.masked_fill(later, -torch.inf) if self.masked else scores).softmax(-1)

    def forward(self, x):
        value = self.split(self.value(x))
        return self.proj(self.join(self.look(x) @ (self.rotate(value) if self.values_turned else value)))


class Layer(generation.Block):
    """The lesson's block."""

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.feed_forward(self.norm2(x))


class Language(generation.GPT):
    """The lesson's model."""

    def forward(self, letters):
        x = self.embedding(letters)
        for block in self.blocks:
            x = block(x)
        return self.output(self.norm(x))


def language_model(layers: int, width: int = 16) -> Language:
    """Return an untrained language model of two heads."""
    parts = Language, Layer, Looking, Norm, rotate
    model = generation.build(*parts, num_letters=len(LETTERS), layers=layers, width=width, num_heads=2)
    with torch.no_grad():
        model.output.weight.normal_(std=0.2, generator=torch.Generator().manual_seed(0))
    return model.eval()


def unseen_tales() -> Rows:
    """Return a few tales."""
    return unseen_rows(6, length=193, seed=3, known=frozenset())


def scored(weights, letters, asked):
    """Return a score of heads other than the lesson's: their mean weight on the position before."""
    return weights.diagonal(-1, 2, 3).mean(-1).mean(0)


def nucleus(logits, temperature=1.0, top_p=1.0):
    """Return the lesson's nucleus: the likeliest letters' probabilities, which add up to at least `top_p`."""
    p = (logits / temperature).softmax(-1)
    likeliest, order = p.sort(descending=True)
    kept = torch.where(likeliest.cumsum(-1) - likeliest < top_p, likeliest, 0)
    return torch.zeros_like(p).scatter(-1, order, kept / kept.sum(-1, keepdim=True))


def explored_language_models(**options: object) -> Explorer:
    """Return the explorer of two untrained language models; `options` change the attention of the second."""
    models = {"one layer": language_model(1), "two layers": language_model(2)}
    for block in models["two layers"].blocks:
        vars(block.attention).update(options)
    return gpt.explore(models, unseen_tales(), scored, nucleus)
