"""What a language model has learned: its loss by kind of letter, where its heads look, and its loss without some heads.

N rows, S letters of a row, L layers, H heads, V letters of the alphabet.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import nn

from utils.common.messages import N_, listed
from utils.common.progress import progress
from utils.gpt.tales.grammar import AGAIN, FIRST, PLAIN
from utils.gpt.tales.letters import LETTERS, Rows, decode

KIND_NAMES = (N_("plain"), N_("first"), N_("again"))
MEASURED = 48  # rows; some 8,000 letters
SHOWN = 64  # letters of an example in a figure
NAMED = 0.25  # the score from which a head counts as one that finds names
STRETCH = 24  # positions over which a loss is averaged

Nats = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
Score = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


class KindLosses(NamedTuple):
    """The mean loss, in nats, of plain letters, and of a name's letters the first time and again."""

    plain: float
    first: float
    again: float


class Example(NamedTuple):
    """A text up to a letter that looks, the weights of its letters, and the letter that comes next."""

    text: str
    weights: list[float]
    following: str


# Steps made, the losses then, and the weights of the model.
History = Sequence[tuple[int, tuple[KindLosses, dict[str, torch.Tensor]]]]


def by_kind(losses: torch.Tensor, rows: Rows) -> KindLosses:
    """Return the mean losses by kind; losses (N, S - 1) are those of each row's letters from the second on."""
    kinds = rows.kinds[: len(losses), 1:]
    return KindLosses(*(float(losses[kinds == kind].mean()) for kind in (PLAIN, FIRST, AGAIN)))


def rows_by_kind(by_name: Mapping[str, KindLosses]) -> list[tuple[str, ...]]:
    """Return the rows of a table, one for each name."""
    return [(name, *(f"{loss:.2f}" for loss in losses)) for name, losses in by_name.items()]


def pair_table(rows: Rows) -> torch.Tensor:
    """Return the logarithm (V, V) of how often each letter (row) is followed by each other, counted from 1 on."""
    V = len(LETTERS)
    pairs = rows.letters[:, :-1] * V + rows.letters[:, 1:]
    return (1.0 + torch.bincount(pairs.flatten(), minlength=V * V)).log().view(V, V)


def pairs_of(letters: torch.Tensor) -> torch.Tensor:
    """Return a number for each letter together with the one before it, (N, S) -> (N, S); before a row is a line end."""
    before = torch.zeros_like(letters)
    before[:, 1:] = letters[:, :-1]
    return before * len(LETTERS) + letters


@torch.no_grad()
def losses_of(model: Any, nats: Nats, rows: Rows) -> KindLosses:
    """Return a model's losses on the first of `rows`."""
    letters = rows.letters[:MEASURED]
    return by_kind(nats(model(letters), letters), rows)


@torch.no_grad()
def plain_by_place(model: Any, nats: Nats, rows: Rows) -> list[tuple[int, float]]:
    """Return for each stretch of positions of the first rows (its middle, the mean loss of its plain letters)."""
    letters, kinds = rows.letters[:MEASURED], rows.kinds[:MEASURED, 1:]
    losses = nats(model(letters), letters)  # (N, S - 1)
    pieces = zip(losses.split(STRETCH, dim=1), kinds.split(STRETCH, dim=1), strict=True)
    means = (float(losses[kinds == PLAIN].mean()) for losses, kinds in pieces)
    return [(STRETCH * i + STRETCH // 2, mean) for i, mean in enumerate(means)]


def measure(nats: Nats, rows: Rows) -> Callable[[Any], tuple[KindLosses, dict[str, torch.Tensor]]]:
    """Return a function that measures a model in training, and takes a snapshot of its weights."""

    def now(model: Any) -> tuple[KindLosses, dict[str, torch.Tensor]]:
        return losses_of(model, nats, rows), {name: value.clone() for name, value in model.state_dict().items()}

    return now


@torch.no_grad()
def looks(model: Any, letters: torch.Tensor) -> list[torch.Tensor]:
    """Return where each position looks, (N, H, S, S) for each layer, while the model reads letters (N, S)."""
    # By hooks, because a student's model returns scores alone: `look` runs once more on what each layer is given.
    weights: list[torch.Tensor] = []
    hooks = [
        block.attention.register_forward_pre_hook(lambda layer, inputs: weights.append(layer.look(inputs[0])))
        for block in model.blocks
    ]
    try:
        model(letters)
    finally:
        for hook in hooks:
            hook.remove()
    return weights


def asked(rows: Rows) -> torch.Tensor:
    """Return a mask (N, S) of the positions before a letter that belongs to a name the tale has told before."""
    positions = torch.zeros_like(rows.kinds, dtype=torch.bool)
    positions[:, :-1] = rows.kinds[:, 1:] == AGAIN
    return positions


def scores_of(model: Any, score: Score, rows: Rows) -> torch.Tensor:
    """Return each head's score, (L, H), on the first of `rows`."""
    letters, positions = rows.letters[:MEASURED], asked(rows)[:MEASURED]
    return torch.stack([score(weights, pairs_of(letters), positions) for weights in looks(model, letters)])


def rows_of_heads(
    model: Any, score: Score, without_heads: Callable[[Any, list[int]], Any], nats: Nats, rows: Rows
) -> list[tuple[str, ...]]:
    """Return the rows of a table, one for each head, as "layer / head", the first layer being 1.

    Its numbers: the largest weight of a position, as a mean over all positions; the score; the losses of plain letters
    and of names told again when the head is off.
    """
    scores = scores_of(model, score, rows)
    table: list[tuple[str, ...]] = []
    for layer, weights in enumerate(looks(model, rows.letters[:MEASURED])):
        block = model.blocks[layer]
        for head, largest in enumerate(weights.amax(dim=-1).mean(dim=(0, 2)).tolist()):
            with attention_replaced(block, without_heads(block.attention, [head])):
                off = losses_of(model, nats, rows)
            numbers = (largest, scores[layer, head], off.plain, off.again)
            table.append((f"{layer + 1} / {head}", *(f"{number:.2f}" for number in numbers)))
    return table


def scores_by_step(model: Any, history: History, score: Score, rows: Rows) -> list[tuple[int, torch.Tensor]]:
    """Return the heads' scores (L, H) at each snapshot; the model keeps the last one's weights."""
    scores = []
    for step, (_, weights) in progress(history, N_("snapshots"), needed=True):
        model.load_state_dict(weights)
        scores.append((step, scores_of(model, score, rows)))
    return scores


def best_head(scores: Sequence[tuple[int, torch.Tensor]]) -> tuple[int, int]:
    """Return layer and number of the head with the highest score at the end."""
    last = scores[-1][1]
    layer, head = divmod(int(last.argmax()), last.shape[1])
    return layer, head


def examples(model: Any, rows: Rows, layer: int, head: int, count: int = 4) -> list[Example]:
    """Return where a head looks from the middle of a name told before, one example for each of the first `count` rows.

    The name's first three letters occur earlier in the letters shown, so that a reader can see the earlier name.
    """
    weights = looks(model, rows.letters[:count])[layer][:, head]
    shown_rows = []
    for row, positions in enumerate(asked(rows)[:count]):
        # From the row's end, where the most text precedes the letter.
        for position in reversed(torch.nonzero(positions).flatten().tolist()):
            start = max(0, position + 1 - SHOWN)
            text = decode(rows.letters[row, start : position + 1]).replace("\n", " ")
            if text[-3:] in text[:-3] and text[-3].isupper():
                shown = weights[row, position, start : position + 1].tolist()
                shown_rows.append(Example(text, shown, decode(rows.letters[row, position + 1 : position + 2])))
                break
    return shown_rows


def rows_of_first_layer(backs: Mapping[int, torch.Tensor], best: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the rows of a table, one for each head of the first layer that is off, after one for no head.

    backs: each head's weight (H,) on the letter so many places back. best: the second layer's highest score without
    a head, by the name of the row.
    """
    return [
        (
            name,
            *(f"{float(backs[k][int(name)]):.2f}" if name.isdigit() else "" for k in (1, 2, 3)),
            f"{float(score):.2f}",
        )
        for name, score in best.items()
    ]


@torch.no_grad()
def far_from_torch(nats: Nats, logits: torch.Tensor, letters: torch.Tensor) -> float:
    """Return the largest difference of `nats` from PyTorch's cross entropy, for logits (N, S, V), letters (N, S).

    In a module, because this line in the lesson would be an answer to the gap above it.
    """
    theirs = nn.functional.cross_entropy(logits[:, :-1].transpose(1, 2), letters[:, 1:], reduction="none")
    return float((nats(logits, letters) - theirs).abs().max())


@contextmanager
def window(model: Any, places: int) -> Iterator[None]:
    """Within this context, a letter looks at the last `places` letters only, itself included.

    Each layer's own `look` runs; the weights of letters farther back become 0, and the others sum to 1 again.
    """
    layers = [block.attention for block in model.blocks]

    def near(look: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[torch.Tensor], torch.Tensor]:
        def look_near(x: torch.Tensor) -> torch.Tensor:
            weights = look(x)
            kept = weights.triu(1 - places)
            return kept / kept.sum(dim=-1, keepdim=True)

        return look_near

    # In the instance's dictionary, because a student's class must stay as it is.
    for layer in layers:
        layer.__dict__["look"] = near(layer.look)
    try:
        yield
    finally:
        for layer in layers:
            del layer.__dict__["look"]


@contextmanager
def attention_replaced(block: Any, attention: Any) -> Iterator[None]:
    """Within this context, a block has another attention layer."""
    kept, block.attention = block.attention, attention
    try:
        yield
    finally:
        block.attention = kept


def switched_off(
    model: Any,
    scores: Sequence[tuple[int, torch.Tensor]],
    without_heads: Callable[[Any, list[int]], Any],
    nats: Nats,
    rows: Rows,
) -> dict[str, KindLosses]:
    """Return the losses without some heads of the last layer, by the list of these heads.

    First with all heads; then without the head of the highest score, without the two highest, and so on, as far as the
    scores are at least `NAMED`; at last without all other heads, for comparison.
    """
    last = scores[-1][1][-1]
    named = [head for head in last.argsort(descending=True).tolist() if last[head] >= NAMED]
    others = [head for head in range(len(last)) if head not in named]
    losses = {}
    for heads in [named[:count] for count in range(len(named) + 1)] + [others] * bool(others):
        name = listed(f"{head} ({last[head]:.2f})" for head in heads) or N_("no head")
        block = model.blocks[-1]
        with attention_replaced(block, without_heads(block.attention, heads)):
            losses[name] = losses_of(model, nats, rows)
    return losses
