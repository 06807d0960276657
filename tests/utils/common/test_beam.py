"""Beam search against every sentence there is: a tiny vocabulary, at every width from one beginning to all of them."""

import itertools

import pytest
import torch

from utils.common.beam import Beams

N, V, LENGTH = 2, 3, 3
START, END, FILLER = 0, 1, -7
ALL = V**LENGTH  # more beginnings there never are


@pytest.fixture(params=range(5))
def log_p(request):
    """(N, LENGTH, V, V): the next word's log-probability after sentence, place and word before; no two are equal."""
    generator = torch.Generator().manual_seed(request.param)
    return (2 * torch.randn(N, LENGTH, V, V, generator=generator, dtype=torch.float64)).log_softmax(-1)


def written(log_p, width, end=END):
    """Run the search; return its sentences, their means, and the rows of every step."""
    beams = Beams(torch.full((N,), START), width, end, FILLER)
    sentence = torch.arange(N).repeat_interleave(width)
    steps = []
    for place in range(LENGTH):
        rows = beams.grow(log_p[sentence, place, beams.words])
        steps.append(rows)
        if beams.all_ended:
            break
    return *beams.best(), steps


def total(log_p, sentence):
    return float(sum(log_p[i, a, b] for i, (a, b) in enumerate(itertools.pairwise((START, *sentence)))))


def by_hand(log_p, width, end):
    """The same search with lists: the `width` best by the mean, sentences that have ended among them."""
    kept = [()]
    for _ in range(LENGTH):
        open_ = [s for s in kept if not (s and s[-1] == end)]
        grown = [s for s in kept if s not in open_] + [(*s, word) for s in open_ for word in range(V)]
        kept = sorted(grown, key=lambda s: -total(log_p, s) / len(s))[:width]
    return kept[0]


@pytest.mark.parametrize("end", [END, None])
@pytest.mark.parametrize("width", [1, 2, 3, 5, 11, ALL])
def test_the_best_few_by_the_mean_are_kept_at_every_width(log_p, width, end):
    sentences, means, _ = written(log_p, width, end)
    for n in range(N):
        expected = by_hand(log_p[n], width, end)
        assert sentences[n].tolist() == [*expected, *[FILLER] * (sentences.shape[1] - len(expected))]
        assert float(means[n]) == pytest.approx(total(log_p[n], expected) / len(expected))


def test_a_beam_of_all_beginnings_finds_the_best_of_all_sentences(log_p):
    everything = [
        sentence
        for length in range(1, LENGTH + 1)
        for sentence in itertools.product(range(V), repeat=length)
        if END not in sentence[:-1] and (length == LENGTH or sentence[-1] == END)
    ]
    sentences, means, _ = written(log_p, ALL)
    for n in range(N):
        best = max(everything, key=lambda s: total(log_p[n], s) / len(s))
        assert sentences[n].tolist()[: len(best)] == list(best)
        assert float(means[n]) == pytest.approx(total(log_p[n], best) / len(best))


def test_rows_lead_back_to_what_each_beginning_continues(log_p):
    """A trace that follows the rows, as a model's state does, ends as the words that were fed."""
    width = 5
    beams = Beams(torch.full((N,), START), width, END, FILLER)
    sentence = torch.arange(N).repeat_interleave(width)
    fed = torch.empty(N * width, 0, dtype=torch.long)
    for place in range(LENGTH):
        fed = torch.cat([fed, beams.words.unsqueeze(1)], dim=1)
        rows = beams.grow(log_p[sentence, place, beams.words])
        assert torch.equal(sentence[rows], sentence)  # nobody continues another sentence
        fed = fed[rows]
    before = torch.cat([torch.full((N, width, 1), START), beams.written[..., :-1]], dim=2)
    known = before != FILLER
    assert torch.equal(fed.view(N, width, -1)[known], before[known])
    alive = beams.total > -torch.inf
    assert (beams.total / beams.length)[alive].view(N, -1).diff(dim=1).le(1e-12).all()  # the best stand first


def test_what_has_ended_is_neither_lengthened_nor_fed_on():
    scores = torch.full((2, V), -20.0)
    scores[:, END] = 0.0
    beams = Beams(torch.tensor([START]), 2, END, FILLER)
    beams.grow(scores)
    first, mean = beams.best()
    beams.grow(torch.zeros(2, V))
    assert first.tolist() == [[END]]
    assert beams.best()[0].tolist() == [[END, FILLER]]
    assert torch.equal(beams.best()[1], mean)
    assert not beams.all_ended  # the other beginning still runs
