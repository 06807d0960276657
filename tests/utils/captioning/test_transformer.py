"""The captioning Transformer's given parts: decoder, sampler, cache, beam search, solver; with independent oracles."""

import numpy as np
import pytest
import torch
from torch import nn

from utils.captioning import layers
from utils.captioning.search import RecomputingScorer, beam
from utils.captioning.stand_ins import LearnedEncoding, TorchAttention, stand_ins
from utils.captioning_solver_transformer import CaptioningSolverTransformer
from utils.common.errors import DataError, ShapeError
from utils.transformer import CaptioningModel, CaptioningTransformer

WORDS = ["<NULL>", "<START>", "<END>", *(f"word{i}" for i in range(10))]
SCAFFOLDS = layers.MultiHeadAttention, layers.PositionalEncoding  # before any test installs another
INDEX = {word: i for i, word in enumerate(WORDS)}


class Attention(nn.Module):
    """Attention with layers key, query, value, proj, as a student writes it, by torch's own core."""

    def __init__(self, embed_dim, num_heads, dropout=0.1):
        super().__init__()
        self.key, self.query, self.value, self.proj = (nn.Linear(embed_dim, embed_dim) for _ in range(4))
        self.heads = num_heads

    def forward(self, query, key, value, attn_mask=None):
        q, k, v = (
            x.unflatten(2, (self.heads, -1)).transpose(1, 2)
            for x in (self.query(query), self.key(key), self.value(value))
        )
        mask = None if attn_mask is None else attn_mask.bool()
        return self.proj(nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).flatten(2))


class Model(CaptioningModel):
    def forward(self, features, captions):
        mask = torch.ones(captions.shape[1], captions.shape[1], dtype=torch.bool, device=captions.device).tril()
        words = self.positional_encoding(self.embedding(captions))
        return self.output(self.transformer(words, self.visual_projection(features)[:, None], tgt_mask=mask))


class Peeking(Model):
    """Without a mask: forward on a whole caption disagrees with forward on its beginnings."""

    def forward(self, features, captions):
        words = self.positional_encoding(self.embedding(captions))
        return self.output(self.transformer(words, self.visual_projection(features)[:, None]))


def make(cls=Model, seed=0, attention=Attention, **options):
    torch.manual_seed(seed)
    with stand_ins(attention, LearnedEncoding, feed_forward=23):
        model = cls(INDEX, **({"input_dim": 11, "wordvec_dim": 14, "num_heads": 2, "max_length": 31} | options))
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.7)
    return model


def test_a_decoder_layer_equals_torchs():
    torch.manual_seed(0)
    with stand_ins(TorchAttention):
        ours = layers.TransformerDecoderLayer(14, 2, 23).eval()
    theirs = nn.TransformerDecoderLayer(14, 2, 23, batch_first=True).eval()
    names = {"self_attn.attention": "self_attn", "multihead_attn.attention": "multihead_attn"}
    state = {}
    for name, value in ours.state_dict().items():
        for mine, torchs in names.items():
            name = name.replace(mine, torchs)
        state[name] = value
    theirs.load_state_dict(state)
    x, memory = torch.randn(3, 7, 14), torch.randn(3, 5, 14)
    mask = torch.ones(7, 7, dtype=torch.bool).tril()
    torch.testing.assert_close(ours(x, memory, tgt_mask=mask), theirs(x, memory, tgt_mask=~mask))


def test_parameters_come_in_the_order_key_query_value_proj():
    names = [name for name, _ in SCAFFOLDS[0](8, num_heads=2).named_parameters()]
    assert names == [f"{part}.{kind}" for part in ("key", "query", "value", "proj") for kind in ("weight", "bias")]
    torch.manual_seed(231)
    first = nn.Linear(8, 8).weight
    torch.manual_seed(231)
    assert torch.equal(SCAFFOLDS[0](8, 2).key.weight, first)


@pytest.mark.parametrize("attention", [Attention, TorchAttention])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_cache_changes_nothing(attention, dtype):
    model = make(attention=attention, num_layers=3).to(dtype)
    features = torch.randn(17, 11, dtype=dtype)
    np.testing.assert_array_equal(model.sample(features, 29), model.sample(features, 29, cached=False))


def test_the_cache_projects_every_word_once():
    model = make(num_layers=2)
    model._end = None
    rows = []
    linear = nn.functional.linear

    def counting(x, weight, bias=None):
        if weight is model.transformer.layers[1].self_attn.key.weight:
            rows.append(x.shape[1])
        return linear(x, weight, bias)

    nn.functional.linear = counting
    try:
        model.sample(torch.randn(3, 11), 19)
    finally:
        nn.functional.linear = linear
    assert rows[:-1] == [1] * 19  # and one pass of forward that confirms
    assert rows[-1] == 19


def test_greedy_is_the_argmax_of_forward():
    model = make().eval()
    features = torch.randn(13, 11)
    captions = model.sample(features, 23)
    assert captions.shape == (13, 23) and captions.dtype == np.int32
    for feature, caption in zip(features, captions, strict=True):
        words = [INDEX["<START>"]]
        for word in caption:
            if INDEX["<END>"] in words:
                assert word == INDEX["<NULL>"]
                continue
            with torch.no_grad():
                assert word == model(feature[None], torch.tensor([words]))[0, -1].argmax()
            words.append(int(word))


def test_forward_has_the_last_word():
    model = make(Peeking, seed=4)
    features = torch.randn(17, 11)
    np.testing.assert_array_equal(model.sample(features, 19), model.sample(features, 19, cached=False))


def test_sampling_restores_every_mode_and_takes_arrays():
    model = make()
    model.train()
    model.output.eval()
    features = np.random.RandomState(0).randn(5, 11)
    one, other = model.sample(features, max_length=30), model.sample(torch.from_numpy(features), max_length=30)
    np.testing.assert_array_equal(one, other)
    assert model.training and model.transformer.training and not model.output.training
    assert "forward" not in model.transformer.layers[0].self_attn.key.__dict__


def test_beam_search_finds_the_best_of_all_captions():
    model = make(seed=2).eval()
    features = torch.randn(3, 11)
    length, width = 3, 11 * 13  # as many beams as there are beginnings: nothing is lost
    start = torch.full((3,), INDEX["<START>"])
    with torch.no_grad():
        scorer = RecomputingScorer(model, features.repeat_interleave(width, 0))
        _, score = beam(scorer, start, length, INDEX["<END>"], INDEX["<NULL>"], width)
        every = torch.cartesian_prod(*[torch.arange(13)] * length)
        for n in range(3):
            words = torch.cat([start[:1].expand(len(every), 1), every[:, :-1]], dim=1)
            logp = model(features[n : n + 1].expand(len(every), -1), words).log_softmax(-1)
            logp = logp.gather(2, every[..., None])[..., 0]
            best = -torch.inf
            for caption, terms in zip(every.tolist(), logp, strict=True):
                stop = caption.index(2) + 1 if 2 in caption else length
                if all(word == 0 for word in caption[stop:]):
                    best = max(best, float(terms[:stop].mean()))
            assert score[n] == pytest.approx(best, abs=1e-4)
    np.testing.assert_array_equal(model.sample(features, 7, beam_width=1), model.sample(features, 7))


def test_a_beam_is_the_same_with_and_without_the_cache():
    model = make(seed=3)
    features = torch.randn(7, 11)
    np.testing.assert_array_equal(
        model.sample(features, 13, beam_width=4), model.sample(features, 13, beam_width=4, cached=False)
    )


def test_errors_say_what_to_do():
    model = make()
    with pytest.raises(ShapeError, match=r"\(N, 11\).*\(3, 12\)"):
        model.sample(torch.zeros(3, 12))
    with pytest.raises(ShapeError, match="1 to 31"):
        model.sample(torch.zeros(3, 11), max_length=32)
    with pytest.raises(ShapeError, match="beam_width=14"):
        model.sample(torch.zeros(3, 11), beam_width=14)
    with stand_ins(Attention, LearnedEncoding):
        dumb = Model({"<NULL>": 0, "cat": 2, "dog": 3}, 11, 14, 2)
    with pytest.raises(DataError, match="<START>"):
        dumb.sample(torch.zeros(3, 11))
    with pytest.raises(ShapeError, match="divides"):
        SCAFFOLDS[0](8, 3)
    with pytest.raises(ShapeError, match="even"):
        SCAFFOLDS[1](7)


def test_scaffolds_say_where_to_write():
    for call in (
        lambda: SCAFFOLDS[0](8, 2)(*[torch.zeros(1, 2, 8)] * 3),
        lambda: SCAFFOLDS[1](8)(torch.zeros(1, 2, 8)),
    ):
        with pytest.raises(NotImplementedError, match="lesson `captioning`"):
            call()
    with stand_ins(Attention, LearnedEncoding), pytest.raises(NotImplementedError, match="lesson"):
        CaptioningTransformer(INDEX, 11, 14, 2)(torch.zeros(1, 11), torch.zeros(1, 2, dtype=torch.long))


def test_the_solvers_loss_counts_words_not_padding():
    model = make().eval()
    captions = torch.tensor([[1, 5, 6, 2, 0, 0], [1, 7, 2, 0, 0, 0]])
    features = torch.randn(2, 11)
    solver = CaptioningSolverTransformer(model, {"train_captions": captions}, WORDS, verbose=False)
    logp = model(features, captions[:, :-1]).log_softmax(-1)
    by_hand = [-logp[n, s, captions[n, s + 1]] for n in range(2) for s in range(5) if captions[n, s + 1] != 0]
    assert solver.loss(features, captions).item() == pytest.approx(sum(by_hand).item() / 10, rel=1e-5)


def test_the_solver_learns_and_reports(capsys):
    rng = np.random.RandomState(0)
    np.random.seed(0)  # noqa: NPY002
    captions = np.concatenate([np.ones((5, 1)), rng.randint(3, 13, (5, 4)), np.full((5, 1), 2)], axis=1).astype(
        np.int32
    )
    data = {
        "train_captions": captions,
        "train_image_idxs": np.arange(5, dtype=np.int32),
        "train_features": rng.randn(5, 11).astype(np.float32),
        "train_urls": np.array(["x"] * 5, dtype=object),
    }
    with stand_ins(Attention, LearnedEncoding, feed_forward=23):
        model = Model(INDEX, 11, 14, 2)
    solver = CaptioningSolverTransformer(
        model, data, WORDS, num_epochs=60, batch_size=5, learning_rate=0.01, verbose=True, print_every=30
    )
    solver.train()
    assert len(solver.loss_history) == 60 and solver.val_history == []  # there is nothing to validate on
    assert solver.loss_history[-1] < 0.3 * solver.loss_history[0]
    shown = capsys.readouterr().out
    assert "captioning: 100%" in shown and "60/60" in shown and f"loss={solver.loss_history[-1]:.4f}" in shown


def test_the_solver_follows_the_validation_loss_and_draws_nothing_random():
    rng = np.random.RandomState(1)
    captions = np.concatenate([np.ones((7, 1)), rng.randint(3, 13, (7, 4)), np.full((7, 1), 2)], axis=1).astype(
        np.int32
    )
    data = {}
    for split in ("train", "val"):
        data |= {
            f"{split}_captions": captions,
            f"{split}_image_idxs": np.arange(7, dtype=np.int32)[::-1].copy(),
            f"{split}_features": rng.randn(7, 11).astype(np.float32),
            f"{split}_urls": np.array(["x"] * 7, dtype=object),
        }
    without = {key: value for key, value in data.items() if not key.startswith("val")}
    solvers = []
    for each in (data, without):
        np.random.seed(0)  # noqa: NPY002
        with stand_ins(Attention, LearnedEncoding, feed_forward=23):
            model = make()
        torch.manual_seed(2)  # of dropout
        solvers.append(CaptioningSolverTransformer(model, each, WORDS, batch_size=5, verbose=False))
        solvers[-1].train(61)
    followed, alone = solvers
    assert followed.loss_history == alone.loss_history and alone.val_history == []
    assert [made for made, _ in followed.val_history] == [*range(2, 61, 2), 61]
    features = torch.from_numpy(data["val_features"][data["val_image_idxs"]])
    with torch.no_grad():
        loss = followed.loss(features, torch.from_numpy(captions))
        followed.model.eval()
        assert followed.losses.unseen[-1][1] == pytest.approx(
            followed.loss(features, torch.from_numpy(captions)).item(), rel=1e-5
        )
    assert loss.item() != pytest.approx(followed.val_history[-1][1], rel=1e-5)  # in training mode dropout blurs it
