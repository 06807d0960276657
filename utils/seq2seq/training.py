"""Training and translating in batches: the loops that call the functions that the student writes.

Why batches: a loop over single sentences and single words spends nearly all its time in Python. Here every operation
processes a whole batch of sentences of similar length, and values that stay the same during a translation (the
encoder's states and their projections) are computed once.
"""

from collections.abc import Iterator, Sequence

import torch

from utils.common.beam import Beams
from utils.common.curves import Losses
from utils.common.devices import device_of, no_denormals, one_thread
from utils.common.kept import kept
from utils.common.messages import N_
from utils.common.progress import progress, rehearsed, rehearsing
from utils.seq2seq.interface import Decode, DecodeWithTeacher, Loss, Step, TranslationModel
from utils.seq2seq.pairs import PaddedPairs, pad_sentences
from utils.seq2seq.stand_ins import StandInTranslator
from utils.seq2seq.vocabulary import EOS_token, Lang, PAD_token, SOS_token, sentenceFromIndexes

# So many batches of random sentences are sorted by length, then cut: enough for little padding, and still random.
SORTED_TOGETHER = 20
# Unseen pairs whose loss is measured after each epoch, evenly spaced among all unseen pairs.
FOLLOWED = 300
# Sentences translated at once; at these lengths they need little memory.
TRANSLATED_TOGETHER = 256


def batches(data: PaddedPairs, batch_size: int, generator: torch.Generator | None = None) -> Iterator[PaddedPairs]:
    """Yield all of `data` in random order, in batches of sentences of similar length, each cut to its longest."""
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


@kept(Losses, generators=("random",))
@one_thread()
@no_denormals()
def train(
    model: TranslationModel,
    data: PaddedPairs,
    *,
    decode: DecodeWithTeacher,
    loss: Loss,
    step: Step,
    unseen: PaddedPairs | None = None,
    epochs: int = 8,
    batch_size: int = 96,
    learning_rate: float = 6e-3,
    teacher_forcing: float = 1.0,
    seed: int = 0,
) -> Losses:
    """Train `model` with the notebook's functions; return each epoch's mean loss and its loss on `unseen`.

    decode(model, source, source_mask, target, teacher_forcing) -> logits (N, S, V);  loss(logits, target) -> number;
    step(model, optimizer, compute_loss) makes one update. Losses are in nats per word. The optimiser is Adam; the
    learning rate rises over a tenth of the steps, then falls along a cosine (Smith and Topin 2018), which trains this
    model in few epochs.
    """
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    steps = epochs * -(-len(data.source) // batch_size) + epochs * 2  # a chunk's last batch may be a short one
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, learning_rate, total_steps=steps, pct_start=0.1)
    device = device_of(model)
    data = PaddedPairs(*(part.to(device) for part in data))
    if unseen is not None:
        spread = torch.linspace(0, len(unseen.source) - 1, min(FOLLOWED, len(unseen.source))).long()
        unseen = PaddedPairs(*(part[spread].to(device) for part in unseen))
    history = Losses([], [])
    an_epoch = -(-len(data.source) // batch_size)
    all_batches = (batch for _ in range(epochs) for batch in batches(data, batch_size, generator))
    bar = progress(all_batches, N_("training"), total=epochs * an_epoch)
    losses: list[float] = []
    for number, batch in enumerate(bar, start=1):

        def compute_loss(batch: PaddedPairs = batch) -> torch.Tensor:
            logits = decode(model, batch.source, batch.source_mask, batch.target, teacher_forcing)
            return loss(logits, batch.target)

        losses.append(float(step(model, optimizer, compute_loss)))
        if schedule.last_epoch < steps - 1:
            schedule.step()
        if number % an_epoch and not rehearsing():
            continue
        history.training.append(sum(losses) / len(losses))
        losses.clear()
        bar.set_postfix(epoch=f"{len(history.training)}/{epochs}", loss=f"{history.training[-1]:.3f}")
        if unseen is not None:
            model.eval()
            with torch.no_grad():
                logits = decode(model, unseen.source, unseen.source_mask, unseen.target, 1.0)
                history.unseen.append((len(history.training), float(loss(logits, unseen.target))))
    return history


def translate(
    model: TranslationModel,
    sentences: Sequence[str],
    input_lang: Lang,
    output_lang: Lang,
    decode: Decode,
    max_length: int = 40,
) -> list[str]:
    """Translate normalised sentences; decode(model, source, source_mask, max_length) -> words (N, S), weights."""
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
    translations = [""] * len(sentences)
    device = device_of(model)
    for start in progress(range(0, len(order), TRANSLATED_TOGETHER), N_("translating"), needed=True):
        rows = order[start : start + TRANSLATED_TOGETHER]
        source = pad_sentences(input_lang, [sentences[i] for i in rows]).to(device)
        words, _ = decode(model, source, source != PAD_token, rehearsed(max_length))
        for i, indexes in zip(rows, words, strict=True):
            translations[i] = sentenceFromIndexes(output_lang, indexes)
    return translations


@torch.no_grad()
def beam_decode(
    model: TranslationModel, source: torch.Tensor, source_mask: torch.Tensor, max_length: int = 40, width: int = 4
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Keep the `width` best beginnings at every step; return the sentence with the best mean log-probability per word.

    source (N, T), source_mask (N, T) -> words (N, S) with EOS, then PAD_token; weights (N, S, T), or None.
    Raises: TypeError for the stand-in of a check, because with width 1 this function would be the answer.
    """
    if isinstance(model, StandInTranslator):
        raise TypeError(
            "beam_decode is ready made, and this question is about your own code: choose the words yourself"
        )
    model.eval()
    hidden, memory = model.start(*(x.repeat_interleave(width, dim=0) for x in (source, source_mask)))
    beams = Beams(torch.full_like(source[:, 0], SOS_token), width, EOS_token, PAD_token)
    looks: torch.Tensor | None = None  # (N·width, S, T)
    for _ in range(max_length):
        logits, hidden, weights = model.step(beams.words, hidden, memory)
        rows = beams.grow(logits)
        hidden = hidden[rows]
        if weights is not None:
            now = weights.unsqueeze(1)
            looks = (now if looks is None else torch.cat([looks, now], dim=1))[rows]
        if beams.all_ended:
            break
    return beams.best()[0], None if looks is None else looks[::width]
