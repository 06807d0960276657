"""Training and translating in batches: everything around the functions that the student writes.

Why batches: a loop over single sentences and single words spends nearly all its time in Python; here every operation
treats a whole batch, sentences of like length stand together, and what does not change along a translation
(the encoder's states and their projections) is computed once.

BLEU: Papineni et al. 2002, on words that are already separated.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence

import torch

from utils.common.bleu import bleu as corpus_bleu
from utils.common.devices import device_of
from utils.common.progress import progress
from utils.translation.pairs import PaddedPairs, pad_sentences
from utils.translation.vocabulary import EOS_token, Lang, PAD_token, SOS_token, sentenceFromIndexes

# Batches whose sentences are sorted together before they are cut: enough for little padding, few enough to stay random.
SORTED_TOGETHER = 20
# Sentences translated at once; memory is no concern at these lengths.
TRANSLATED_TOGETHER = 256


def batches(data: PaddedPairs, batch_size: int, generator: torch.Generator | None = None) -> Iterator[PaddedPairs]:
    """Yield `data` once in random order, in batches of sentences of like length, each cut to its longest."""
    n_source, n_target = data.source_mask.sum(dim=1).cpu(), data.target_mask.sum(dim=1).cpu()
    shuffled = torch.randperm(len(data.source), generator=generator)
    chosen = []
    for chunk in shuffled.split(batch_size * SORTED_TOGETHER):
        by_length = (n_source[chunk] * (data.target.shape[1] + 1) + n_target[chunk]).argsort()
        chosen.extend(chunk[by_length].split(batch_size))
    for index in torch.randperm(len(chosen), generator=generator).tolist():
        rows = chosen[index]
        T, S = int(n_source[rows].max()), int(n_target[rows].max())
        yield PaddedPairs(
            data.source[rows, :T], data.source_mask[rows, :T], data.target[rows, :S], data.target_mask[rows, :S]
        )


def train(
    model: torch.nn.Module,
    data: PaddedPairs,
    *,
    decode: Callable,
    loss: Callable,
    step: Callable,
    epochs: int = 6,
    batch_size: int = 96,
    learning_rate: float = 6e-3,
    teacher_forcing: float = 1.0,
    seed: int = 0,
) -> list[float]:
    """Train `model` with the notebook's functions and return the mean loss of each epoch, nats per word.

    decode(model, source, source_mask, target, teacher_forcing) -> logits (N, S, V);  loss(logits, target) -> number;
    step(model, optimizer, compute_loss) makes one update. Adam; the learning rate rises over a tenth of the
    steps, then falls along a cosine (Smith and Topin 2018), which trains this model in few epochs. One thread:
    these matrices are too small to share, and waiting for each other costs more where others use the machine, too.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return _train(model, data, decode, loss, step, epochs, batch_size, learning_rate, teacher_forcing, seed)
    finally:
        torch.set_num_threads(threads)


def _train(model, data, decode, loss, step, epochs, batch_size, learning_rate, teacher_forcing, seed) -> list[float]:
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    steps = epochs * -(-len(data.source) // batch_size) + epochs * 2  # a chunk's last batch may be a short one
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, learning_rate, total_steps=steps, pct_start=0.1)
    device = device_of(model)
    data = PaddedPairs(*(part.to(device) for part in data))
    history = []
    bar = progress(range(epochs), "training", unit="epoch")
    for _ in bar:
        losses = []
        for batch in batches(data, batch_size, generator):

            def compute_loss(batch=batch):
                logits = decode(model, batch.source, batch.source_mask, batch.target, teacher_forcing)
                return loss(logits, batch.target)

            losses.append(float(step(model, optimizer, compute_loss)))
            if schedule.last_epoch < steps - 1:
                schedule.step()
        history.append(sum(losses) / len(losses))
        bar.set_postfix(loss=f"{history[-1]:.3f}")
    return history


def translate(
    model: torch.nn.Module,
    sentences: Sequence[str],
    input_lang: Lang,
    output_lang: Lang,
    decode: Callable,
    max_length: int = 40,
) -> list[str]:
    """Translate normalised sentences; decode(model, source, source_mask, max_length) -> words (N, S), weights."""
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
    translations = [""] * len(sentences)
    device = device_of(model)
    for start in range(0, len(order), TRANSLATED_TOGETHER):
        rows = order[start : start + TRANSLATED_TOGETHER]
        source = pad_sentences(input_lang, [sentences[i] for i in rows]).to(device)
        words, _ = decode(model, source, source != PAD_token, max_length)
        for i, indexes in zip(rows, words, strict=True):
            translations[i] = sentenceFromIndexes(output_lang, indexes)
    return translations


@torch.no_grad()
def beam_decode(model, source, source_mask, max_length: int = 40, width: int = 4):
    """Keep the `width` likeliest beginnings at every step; return the end with the best mean log-probability a word.

    source (N, T), source_mask (N, T) -> words (N, S) with EOS, then PAD_token; weights (N, S, T), or None.
    The mean, not the sum: a sum would prefer short sentences (Wu et al. 2016, section 7).
    """
    model.eval()
    N, W, device = len(source), width, source.device
    hidden, memory = model.start(*(x.repeat_interleave(W, dim=0) for x in (source, source_mask)))
    word = torch.full((N * W,), SOS_token, device=device)
    total = torch.full((N, W), float("-inf"), device=device)
    total[:, 0] = 0.0  # all beams begin alike: let one of them speak for all
    length = torch.zeros(N, W, device=device)
    ended = torch.zeros(N, W, dtype=torch.bool, device=device)
    words = torch.empty(N, W, 0, dtype=torch.long, device=device)
    looks = None
    for _ in range(max_length):
        logits, hidden, weights = model.step(word, hidden, memory)
        log_p = logits.log_softmax(dim=1).view(N, W, -1)
        V = log_p.shape[2]
        log_p = log_p.masked_fill(ended.unsqueeze(2), float("-inf"))
        log_p[..., EOS_token] = log_p[..., EOS_token].masked_fill(ended, 0.0)  # an ended beam stays as it is
        longer = length + (~ended)
        mean = (total.unsqueeze(2) + log_p) / longer.unsqueeze(2)
        best = mean.view(N, -1).topk(W, dim=1).indices  # (N, W)
        beam, new = best // V, best % V
        rows = (beam + W * torch.arange(N, device=device).unsqueeze(1)).flatten()  # of the N·W running sentences
        total = (total.unsqueeze(2) + log_p).view(N, -1).gather(1, best)
        length, before = longer.gather(1, beam), ended.gather(1, beam)
        shown = new.masked_fill(before, PAD_token)
        words = torch.cat([words.gather(1, beam.unsqueeze(2).expand_as(words)), shown.unsqueeze(2)], dim=2)
        if weights is not None:
            now = weights[rows].view(N, W, 1, -1)
            looks = (
                now if looks is None else torch.cat([looks.flatten(0, 1)[rows].view(N, W, *looks.shape[2:]), now], 2)
            )
        ended = before | (new == EOS_token)
        hidden, word = hidden[rows], new.flatten()
        if bool(ended.all()):
            break
    winner = (total / length.clamp(min=1)).argmax(dim=1)
    each = torch.arange(N, device=device)
    return words[each, winner], None if looks is None else looks[each, winner]


def bleu(translations: Sequence[str], references: Sequence[str]) -> float:
    """Corpus BLEU in percent, words separated by spaces."""
    return 100 * corpus_bleu(translations, [[reference] for reference in references])


def bleu_by_length(
    sources: Sequence[str],
    translations: Sequence[str],
    references: Sequence[str],
    edges: Sequence[int] = (4, 6, 8, 10, 14, 18, 22, 26, 33),
) -> list[tuple[float, float]]:
    """Return (mean source length in words, BLEU in percent) of the sentences between each two `edges`."""
    points = []
    lengths = [len(source.split(" ")) for source in sources]
    for low, high in itertools.pairwise(edges):
        rows = [i for i, n in enumerate(lengths) if low <= n < high]
        if rows:
            score = bleu([translations[i] for i in rows], [references[i] for i in rows])
            points.append((sum(lengths[i] for i in rows) / len(rows), score))
    return points
