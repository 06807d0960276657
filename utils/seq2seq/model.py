"""The translator of the lesson `seq2seq`: encoder, decoders, and gaps for the student's attention.

Why: Bahdanau, Cho and Bengio, "Neural Machine Translation by Jointly Learning to Align and Translate" (ICLR 2015),
section 3: a bidirectional encoder gives one state per word, and at each step the decoder takes a weighted mean of them.
`PlainDecoder` is the model with which they compare theirs (Cho et al. 2014): one vector for the whole sentence.

Shapes: N sentences, T source words, S target words, V vocabulary, D state_dim, G hidden_dim, R score_dim.
A *memory* holds the values that a decoder reads at every step; it is computed once per sentence.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from utils.common.errors import NotWritten, ShapeError
from utils.common.messages import N_
from utils.seq2seq.interface import Attention
from utils.seq2seq.vocabulary import PAD_token


class WordEmbedding(nn.Embedding):
    """One vector per word, and zeros for PAD_token: (...) int64 -> (..., E)."""

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        is_word = words != PAD_token
        return F.embedding(words * is_word, self.weight) * is_word.unsqueeze(-1)


class Encoder(nn.Module):
    """h_t = [forward GRU at t ; backward GRU at t]: source (N, T), mask (N, T) -> states (N, T, D).

    Each direction has D/2 units. Padding is not read: states there are zero, and the amount of padding changes no other
    state.
    """

    def __init__(self, n_words: int, embed_dim: int, state_dim: int, dropout: float = 0.1):
        super().__init__()
        if state_dim % 2:
            raise ShapeError(
                N_("state_dim must be even, a half for each direction, but it is {state_dim}."), state_dim=state_dim
            )
        self.embedding = WordEmbedding(n_words, embed_dim)
        self.dropout = nn.Dropout(dropout)
        self.gru = nn.GRU(embed_dim, state_dim // 2, batch_first=True, bidirectional=True)

    def forward(self, source: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        embedded = self.dropout(self.embedding(source))  # (N, T, E)
        lengths = mask.sum(dim=1).cpu()
        if bool((lengths == source.shape[1]).all()):
            states: torch.Tensor = self.gru(embedded)[0]
            return states
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(self.gru(packed)[0], batch_first=True, total_length=source.shape[1])[0]


# Width between the two matrices of `word_scores`: with thousands of words, one matrix would cost most of the time.
NARROW = 128


def word_scores(in_dim: int, n_words: int) -> nn.Sequential:
    """(N, in_dim) -> logits (N, V) by two matrices; with a tanh between them, learning takes five times as long."""
    return nn.Sequential(nn.Linear(in_dim, NARROW), nn.Linear(NARROW, n_words))


class PlainDecoder(nn.Module):
    """s_i = GRU(s_{i-1}, [e(y_{i-1}) ; c]) without attention: c, the sentence's vector, is the same at each step."""

    def __init__(self, n_words: int, embed_dim: int, hidden_dim: int, state_dim: int, dropout: float = 0.1):
        super().__init__()
        self.embedding = WordEmbedding(n_words, embed_dim)
        self.dropout = nn.Dropout(dropout)
        self.cell = nn.GRUCell(embed_dim + state_dim, hidden_dim)
        self.output = word_scores(hidden_dim + state_dim + embed_dim, n_words)

    def memory(self, states: torch.Tensor, mask: torch.Tensor, summary: torch.Tensor) -> tuple[torch.Tensor]:
        """Return the values that `step` reads: only the sentence's vector (N, D)."""
        return (summary,)

    def step(
        self, word: torch.Tensor, hidden: torch.Tensor, memory: tuple[torch.Tensor]
    ) -> tuple[torch.Tensor, torch.Tensor, None]:
        """word (N,), hidden (N, G) -> logits (N, V), hidden (N, G), None: it has no attention weights."""
        (context,) = memory
        embedded = self.dropout(self.embedding(word))
        hidden = self.cell(torch.cat([embedded, context], dim=1), hidden)
        return self.output(torch.cat([hidden, context, embedded], dim=1)), hidden, None


class AdditiveAttention(nn.Module):
    """score(s, h_t) = v·tanh(W_s s + W_h h_t), weights = softmax over words t, context = Σ_t weight_t h_t.

    A scaffold: the notebook's class adds `v` and `score`, and calls the notebook's function `attend` for the rest.
    """

    v: (
        nn.Parameter
    )  # made by the notebook's class; no value here, or `register_parameter("v", …)` would refuse the name

    def __init__(self, query_dim: int, state_dim: int, score_dim: int):
        super().__init__()
        self.query_layer = nn.Linear(query_dim, score_dim, bias=False)  # W_s
        self.key_layer = nn.Linear(state_dim, score_dim, bias=False)  # W_h

    def keys(self, states: torch.Tensor) -> torch.Tensor:
        """Return W_h h_t, (N, T, D) -> (N, T, R): computed once per sentence, because no decoder step changes it."""
        keys: torch.Tensor = self.key_layer(states)
        return keys

    def score(self, query: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        """query (N, G), keys (N, T, R) -> scores (N, T)."""
        raise NotWritten(N_("Write `score` in the notebook's class AdditiveAttention."))

    def forward(
        self, query: torch.Tensor, states: torch.Tensor, keys: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """query (N, G), states (N, T, D), keys (N, T, R), mask (N, T) -> context (N, D), weights (N, T)."""
        raise NotWritten(N_("Write `attend` in the notebook; its class AdditiveAttention calls it here."))


Looked = tuple[torch.Tensor, torch.Tensor, torch.Tensor]  # states (N, T, D), keys (N, T, R), mask (N, T)


class AttentionDecoder(nn.Module):
    """c_i = Σ_t weight_t h_t with weights from s_{i-1};  s_i = GRU(s_{i-1}, [e(y_{i-1}) ; c_i]).

    A scaffold: it has the layers; `step` is written in the notebook.
    `attention`: a module with a method `keys(states)`, called as `attention(query, states, keys, mask)`.
    """

    def __init__(
        self,
        n_words: int,
        embed_dim: int,
        hidden_dim: int,
        state_dim: int,
        attention: Attention,
        dropout: float = 0.1,
    ):
        super().__init__()
        self.embedding = WordEmbedding(n_words, embed_dim)
        self.dropout = nn.Dropout(dropout)
        self.attention = attention
        self.cell = nn.GRUCell(embed_dim + state_dim, hidden_dim)
        self.output = word_scores(hidden_dim + state_dim + embed_dim, n_words)

    def memory(self, states: torch.Tensor, mask: torch.Tensor, summary: torch.Tensor) -> Looked:
        """Return the values that `step` reads: states (N, T, D), keys (N, T, R), projected once here, mask (N, T)."""
        return states, self.attention.keys(states), mask

    def step(
        self, word: torch.Tensor, hidden: torch.Tensor, memory: Looked
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """word (N,), hidden (N, G) -> logits (N, V), hidden (N, G), weights (N, T)."""
        raise NotWritten(N_("Write `step` in the notebook's class AttentionDecoder."))


class Translator(nn.Module):
    """An encoder and a decoder: `start` reads the sentences, each `step` writes one word of every translation.

    `summarise`: a function of states (N, T, D) and mask (N, T) that gives one vector per sentence, (N, D).
    """

    def __init__(
        self,
        encoder: Encoder,
        decoder: PlainDecoder | AttentionDecoder,
        summarise: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    ):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder
        state_dim = 2 * encoder.gru.hidden_size
        self.bridge = nn.Linear(state_dim, decoder.cell.hidden_size)  # s_0 = tanh(W [h→_T ; h←_1])
        self.summarise = summarise

    def start(self, source: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, Any]:
        """source (N, T), mask (N, T) -> hidden s_0 (N, G), memory for `step`."""
        states = self.encoder(source, mask)
        summary = self.summarise(states, mask)
        return torch.tanh(self.bridge(summary)), self.decoder.memory(states, mask, summary)

    def step(
        self, word: torch.Tensor, hidden: torch.Tensor, memory: Any
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """The word before, (N,), and hidden (N, G) -> logits (N, V), hidden (N, G), weights (N, T) or None."""
        return self.decoder.step(word, hidden, memory)
