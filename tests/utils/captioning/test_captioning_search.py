"""Greedy and beam search against plain Python at every width and length, and the cache that must not fall back."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.plain_beam import plain_beam
from utils.captioning import search
from utils.captioning.cache import LayerCache, remembering
from utils.captioning.search import CachedScorer, RecomputingScorer, beam, confirmed, greedy
from utils.captioning.stand_ins import LearnedEncoding, TorchAttention, stand_ins
from utils.transformer import CaptioningModel

NULL, START, END, V = 0, 1, 2, 5
WORDS = {"<NULL>": NULL, "<START>": START, "<END>": END, "a": 3, "b": 4}


class Table:
    """Scores that depend on the picture, the place and the word before."""

    def __init__(self, seed: int, pictures: int, length: int, width: int):
        table = 2 * np.random.RandomState(seed).standard_normal((pictures, length, V, V))
        self.table = torch.from_numpy(table)
        self.pictures = torch.arange(pictures).repeat_interleave(width)
        self.place = 0

    def step(self, words: torch.Tensor) -> torch.Tensor:
        self.place += 1
        return self.table[self.pictures, self.place - 1, words]

    def choose(self, rows: torch.Tensor) -> None:
        self.pictures = self.pictures[rows]

    def log_p(self, picture: int):
        scores = self.table.log_softmax(-1)
        return lambda words: scores[picture, len(words), words[-1] if words else START].tolist()


def padded(words: tuple[int, ...], length: int) -> list[int]:
    return [*words, *[NULL] * (length - len(words))]


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 10**6), width=st.integers(1, V), length=st.integers(1, 6), end=st.sampled_from([END, None]))
def test_beam_keeps_the_best_by_the_mean_at_every_width_and_length(seed, width, length, end):
    table = Table(seed, 3, length, width)
    captions, score = beam(table, torch.full((3,), START), length, end, NULL, width)
    for picture in range(3):
        words, mean = plain_beam(table.log_p(picture), width, length, end)
        assert captions[picture].tolist() == padded(words, length)
        assert float(score[picture]) == pytest.approx(mean, abs=1e-5)


@settings(deadline=None)
@given(seed=st.integers(0, 10**6), length=st.integers(1, 6), end=st.sampled_from([END, None]))
def test_greedy_is_a_beam_of_one(seed, length, end):
    captions = greedy(Table(seed, 3, length, 1), torch.full((3,), START), length, end, NULL)
    for picture in range(3):
        words, _ = plain_beam(Table(seed, 3, length, 1).log_p(picture), 1, length, end)
        assert captions[picture].tolist() == padded(words, length)


def test_a_longer_caption_with_the_better_mean_wins_against_a_shorter_one_with_the_better_sum():
    table = Table(0, 1, 2, 2)
    probabilities = torch.full((2, V, V), 1e-6, dtype=torch.float64)
    probabilities[0, START, END], probabilities[0, START, 3] = 0.45, 0.55
    probabilities[1, 3, 4], probabilities[1, 3, 3] = 0.7, 0.3
    table.table = probabilities.log()[None]
    captions, score = beam(table, torch.tensor([START]), 2, END, NULL, 2)
    assert captions.tolist() == [[3, 4]]
    assert float(score) == pytest.approx(np.log(0.55 * 0.7) / 2, abs=1e-4)
    assert np.log(0.45) > np.log(0.55 * 0.7)


def test_searching_ends_with_the_last_caption():
    for run in (
        lambda table: greedy(table, torch.tensor([START, START]), 6, END, NULL),
        lambda table: beam(table, torch.tensor([START, START]), 6, END, NULL, 1)[0],
    ):
        table = Table(0, 2, 6, 1)
        table.table[:] = 0
        table.table[..., 3] = 1
        table.table[0, 1, :, END] = table.table[1, 2, :, END] = 9
        assert run(table).tolist() == [[3, END, NULL, NULL, NULL, NULL], [3, 3, END, NULL, NULL, NULL]]
        assert table.place == 3


# ---- the model, with and without the cache ----------------------------------------------------------------


class Attention(torch.nn.Module):
    """One head, with layers key, query, value, proj."""

    def __init__(self, embed_dim, num_heads, dropout=0.1):
        super().__init__()
        self.key, self.query, self.value, self.proj = (torch.nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, query, key, value, attn_mask=None):
        scores = self.query(query) @ self.key(key).transpose(1, 2)
        scores = scores if attn_mask is None else scores.masked_fill(attn_mask == 0, -torch.inf)
        return self.proj(scores.softmax(-1) @ self.value(value))


class Model(CaptioningModel):
    def forward(self, features, captions):
        mask = torch.ones(captions.shape[1], captions.shape[1]).tril()
        words = self.positional_encoding(self.embedding(captions))
        return self.output(self.transformer(words, self.visual_projection(features)[:, None], tgt_mask=mask))


class Peeking(Model):
    """Without a mask: the cache, which cannot look ahead, finds other captions."""

    def forward(self, features, captions):
        words = self.positional_encoding(self.embedding(captions))
        return self.output(self.transformer(words, self.visual_projection(features)[:, None]))


def make(cls=Model, attention=Attention, seed=0):
    torch.manual_seed(seed)
    with stand_ins(attention, LearnedEncoding, feed_forward=13):
        model = cls(WORDS, input_dim=7, wordvec_dim=6, num_heads=1, num_layers=2, max_length=17)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.8)
    return model.eval()


def pictures(number: int) -> torch.Tensor:
    return torch.randn(number, 7, generator=torch.Generator().manual_seed(0))


@pytest.fixture
def scorers(monkeypatch):
    """The names of the scorers that a search made."""
    made = []
    for scorer in (CachedScorer, RecomputingScorer):
        make_one = scorer.__init__

        def noting(self, *args, make_one=make_one, name=scorer.__name__):
            made.append(name)
            make_one(self, *args)

        monkeypatch.setattr(scorer, "__init__", noting)
    return made


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("attention", [Attention, TorchAttention])
def test_the_cache_agrees_at_every_width_and_need_not_be_replaced(scorers, attention, width):
    model, features = make(attention=attention), pictures(5)
    with torch.no_grad():
        found = search.search(model, features, 11, width)
        assert scorers == ["CachedScorer"]
        assert torch.equal(found, search.search(model, features, 11, width, cached=False))
        assert scorers == ["CachedScorer", "RecomputingScorer"]


@pytest.mark.parametrize(("width", "seed"), [(1, 8), (3, 2)])
def test_where_the_cache_is_wrong_forward_decides(scorers, width, seed):
    model, features = make(Peeking, seed=seed), pictures(5)
    with torch.no_grad():
        found = search.search(model, features, 11, width)
        assert scorers == ["CachedScorer", "RecomputingScorer"]
        assert torch.equal(found, search.search(model, features, 11, width, cached=False))


@pytest.mark.parametrize("cached", [True, False])
def test_a_caption_ends_with_its_end_and_starts_after_its_start(monkeypatch, cached):
    model, features, start = make(seed=8), pictures(5), torch.full((5,), START)
    with torch.no_grad():
        for width in (1, 3):
            scorer = RecomputingScorer(model, features.repeat_interleave(width, 0))
            if width == 1:
                expected = greedy(scorer, start, 11, END, NULL)
            else:
                expected, _ = beam(scorer, start, 11, END, NULL, width)
            found = search.search(model, features, 11, width, cached=cached)
            assert torch.equal(found, expected) and found.dtype == torch.long
        monkeypatch.setattr(search, "beam", None)  # which nobody asked for
        assert (search.search(model, features, 11)[0] == END).any()


@pytest.mark.parametrize(("moved", "same"), [(0.0, True), (0.0095, True), (0.012, False), (-0.012, False)])
def test_a_beams_score_may_differ_by_a_hundredth(moved, same):
    model, features = make(), pictures(5)
    start = torch.full((5,), START)
    with torch.no_grad():
        scorer = RecomputingScorer(model, features.repeat_interleave(3, 0))
        captions, score = beam(scorer, start, 11, END, NULL, 3)
        one = torch.zeros(5)
        one[2] = moved
        assert confirmed(model, features, start, captions, score + one) == same


def test_greedy_captions_are_confirmed_word_by_word_up_to_their_end():
    model, features = make(seed=8), pictures(5)
    start = torch.full((5,), START)
    with torch.no_grad():
        captions = greedy(RecomputingScorer(model, features), start, 11, END, NULL)
        assert confirmed(model, features, start, captions)
        assert 0 < sum(END in caption for caption in captions.tolist()) < 5
        for row, caption in enumerate(captions.tolist()):
            written = caption.index(END) + 1 if END in caption else len(caption)
            for place in range(written):
                other = captions.clone()
                other[row, place] = 3 if caption[place] != 3 else 4
                assert not confirmed(model, features, start, other)
                if caption[place] != END:  # nor does a caption end where it would go on
                    other[row, place], other[row, place + 1 :] = END, NULL
                    assert not confirmed(model, features, start, other)


def test_scorers_give_the_scores_of_forward_in_the_chosen_order():
    model, features = make(), pictures(3)
    words = torch.tensor([[START, 3, 4, 4], [START, 4, END, 3], [START, 3, 3, 4]])
    with torch.no_grad():
        for scorer in (CachedScorer(model, features), RecomputingScorer(model, features)):
            scorer.step(words[:, 0])
            scorer.choose(torch.tensor([2, 0, 2, 1]))
            chosen, seen = words[[2, 0, 2, 1]], features[[2, 0, 2, 1]]
            for place in (1, 2):
                torch.testing.assert_close(scorer.step(chosen[:, place]), model(seen, chosen[:, : place + 1])[:, -1])
            scorer.choose(torch.tensor([1, 1]))
            torch.testing.assert_close(scorer.step(chosen[[1, 1], 3]), model(seen[[1, 1]], chosen[[1, 1]])[:, -1])


# ---- the cache ----------------------------------------------------------------------------------------------


def test_what_is_remembered_is_not_projected_again_and_what_differs_is():
    torch.manual_seed(0)
    attention, store = Attention(6, 1), {}
    x = torch.randn(2, 5, 6)
    whole = attention(x, x, x)
    for length in (3, 3, 5):
        part = x[:, :length]
        with remembering(attention, part, store):
            found = attention(part, part, part)
            torch.testing.assert_close(attention(x, x, x), whole)  # of another tensor nothing is remembered
        assert store["key"].shape == store["value"].shape == (2, length, 6)
        torch.testing.assert_close(store["key"], attention.key(part))
        torch.testing.assert_close(store["value"], attention.value(part))
    torch.testing.assert_close(found, whole)
    assert set(store) == {"key", "value"}
    assert not any("forward" in layer.__dict__ for layer in attention.children())


def test_layers_are_given_back_after_an_error_too():
    attention = Attention(6, 1)
    with pytest.raises(RuntimeError), remembering(attention, torch.zeros(1, 1, 6), {}):
        assert "forward" in attention.key.__dict__ and "forward" not in attention.query.__dict__
        raise RuntimeError
    assert not any("forward" in layer.__dict__ for layer in attention.children())


def test_a_memory_of_one_vector_is_looked_at_once_and_a_longer_one_at_every_step():
    torch.manual_seed(0)
    attention = Attention(6, 1)
    calls = []
    attention.register_forward_pre_hook(lambda layer, inputs: calls.append(1))
    for length, looks in ((1, 1), (3, 2)):
        cache, memory = LayerCache(), torch.randn(2, length, 6)
        calls.clear()
        for _ in range(2):
            query = torch.randn(2, 1, 6)
            found = cache.look(attention, query, memory)
            expected = Attention.forward(attention, query, memory, memory)
            torch.testing.assert_close(found, expected)
        assert len(calls) == looks


def test_all_that_is_remembered_goes_on_with_the_chosen_captions():
    cache, rows = LayerCache(), torch.tensor([2, 0, 2])
    first, second = torch.randn(3, 1, 6), torch.randn(3, 1, 6)
    cache.extend(first)
    torch.testing.assert_close(cache.extend(second), torch.cat([first, second], 1))
    cache.own, cache.memory = {"key": first, "value": second}, {"seen": second}
    cache.choose(rows)
    torch.testing.assert_close(cache.past, torch.cat([first, second], 1)[rows])
    torch.testing.assert_close(cache.own, {"key": first[rows], "value": second[rows]})
    torch.testing.assert_close(cache.memory, {"seen": second[rows]})
