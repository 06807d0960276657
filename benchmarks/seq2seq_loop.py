"""The baseline of the speed figures: the lesson's model, trained with one sentence, one word at a time.

What: the usual form of this lesson. Encoder and decoder are called word by word with a hidden state (1, 1, H), the
attention projects all encoder states again at every step, and each pair is one update.
Why: the batched training is compared with it, by words per second and by loss.
"""

import random
import time

import torch
from torch import nn
from torch.nn import functional as F

from utils.attention_utils import Lang, SOS_token, tensorsFromPair


class LoopTranslator(nn.Module):
    """The lesson's translator for single sentences, with the same layers and widths."""

    def __init__(self, input_lang: Lang, output_lang: Lang, embed_dim=64, hidden_dim=128, score_dim=64, narrow=128):
        super().__init__()
        half = hidden_dim // 2
        self.source_embedding = nn.Embedding(input_lang.n_words, embed_dim)
        self.forward_gru, self.backward_gru = nn.GRU(embed_dim, half), nn.GRU(embed_dim, half)
        self.bridge = nn.Linear(hidden_dim, hidden_dim)
        self.embedding = nn.Embedding(output_lang.n_words, embed_dim)
        self.query_layer = nn.Linear(hidden_dim, score_dim, bias=False)
        self.key_layer = nn.Linear(hidden_dim, score_dim, bias=False)
        self.v = nn.Parameter(torch.empty(score_dim).uniform_(-(score_dim**-0.5), score_dim**-0.5))
        self.gru = nn.GRU(embed_dim + hidden_dim, hidden_dim)
        self.output = nn.Sequential(
            nn.Linear(2 * hidden_dim + embed_dim, narrow), nn.Linear(narrow, output_lang.n_words)
        )
        self.half = half

    def encode(self, source: torch.Tensor) -> torch.Tensor:
        """source (T, 1) -> states (T, H), one word after the other in each direction."""
        halves = []
        for gru, order in (
            (self.forward_gru, range(len(source))),
            (self.backward_gru, range(len(source) - 1, -1, -1)),
        ):
            hidden = torch.zeros(1, 1, self.half)
            found = {}
            for t in order:
                _, hidden = gru(self.source_embedding(source[t]).view(1, 1, -1), hidden)
                found[t] = hidden[0, 0]
            halves.append(torch.stack([found[t] for t in range(len(source))]))
        return torch.cat(halves, dim=1)

    def loss(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        """Return the sum of the cross-entropies of one sentence, with teacher forcing."""
        states = self.encode(source)
        summary = torch.cat([states[-1, : self.half], states[0, self.half :]])
        hidden = torch.tanh(self.bridge(summary)).view(1, 1, -1)
        word, total = torch.tensor([SOS_token]), torch.zeros(())
        for i in range(len(target)):
            embedded = self.embedding(word).view(1, 1, -1)
            scores = torch.tanh(self.query_layer(hidden[0]) + self.key_layer(states)) @ self.v
            context = (scores.softmax(dim=0) @ states).view(1, 1, -1)
            _, hidden = self.gru(torch.cat([embedded, context], dim=2), hidden)
            logits = self.output(torch.cat([hidden, context, embedded], dim=2)[0])
            total = total + F.cross_entropy(logits, target[i])
            word = target[i]
        return total


def train_loop(
    pairs, input_lang: Lang, output_lang: Lang, steps: int, *, optimizer="sgd", learning_rate=0.01, seed=0
) -> tuple[list[tuple[int, float]], float]:
    """Train with single pairs; return [(words seen, mean loss per word of the last 100 pairs), ...] and CPU seconds."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    model = LoopTranslator(input_lang, output_lang)
    kind = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}[optimizer]
    updates = kind(model.parameters(), lr=learning_rate)
    seen, recent, curve = 0, [], []
    start = time.process_time()
    for step in range(1, steps + 1):
        source, target = tensorsFromPair(input_lang, output_lang, rng.choice(pairs))
        updates.zero_grad()
        loss = model.loss(source, target) / len(target)
        loss.backward()
        updates.step()
        seen += len(target)
        recent.append(float(loss.detach()))
        if step % 100 == 0:
            curve.append((seen, sum(recent[-100:]) / 100))
    return curve, time.process_time() - start
