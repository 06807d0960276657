"""Measures the numbers of the lesson `seq2seq`: overfitting; BLEU by seed, by length and by score function.

Run `python -m benchmarks.seq2seq [overfit] [bleu] [controls]`; tables are printed, and the recorded ones are in
`benchmarks/seq2seq.md`. Times are CPU seconds of one thread (`time.process_time`), so that other work on the computer
does not count. The real corpus is measured as well if it was downloaded.
"""

import random
import sys
import time

import torch

from autograder.common.course import WORKBOOK
from autograder.exams.reference import reference_names, run_cell
from autograder.lesson.text import Lesson
from utils.attention_utils import corpus_file, filterPairs, pad_pairs, readLangs
from utils.seq2seq.model import Encoder, PlainDecoder, Translator
from utils.seq2seq.pairs import split_pairs
from utils.seq2seq.scores import bleu, bleu_by_length
from utils.seq2seq.training import batches, train, translate

EMBED, HIDDEN, SCORE = 64, 128, 64  # the lesson's widths
EPOCHS = 8  # as in the lesson; 4 on the real corpus
SEEDS = 5


def functions() -> dict:
    """Return the lesson's reference solutions that `train` needs."""
    names = reference_names(Lesson.load("seq2seq", WORKBOOK))
    return {
        "decode": names["decode_with_teacher"],
        "loss": names["sentence_loss"],
        "step": names["training_step"],
    }


# Controls, attention with another score -> the class in the lesson's cell `controls`.
CONTROLS = {"uniform": "UniformAttention", "dot product": "ScaledDotProduct"}


def attention_class(kind: str) -> type:
    """Return the class for `kind`: the lesson's attention, or the class of a control, for which its cell is run."""
    lesson = Lesson.load("seq2seq", WORKBOOK)
    if kind not in CONTROLS:
        return reference_names(lesson)["AdditiveAttention"]
    (cell,) = (cell for cell in lesson.of_role("show") if cell.name == "controls")
    names = dict(reference_names(lesson))
    run_cell(cell.code.partition("\nCONTROLS = ")[0], cell.name, names)  # the rest of the cell trains
    return names[CONTROLS[kind]]


def build(kind: str, input_lang, output_lang, seed: int = 0, dropout: float = 0.1) -> Translator:
    """Return the lesson's translator; `kind` is "attention", "one vector", or one of `CONTROLS`."""
    names = reference_names(Lesson.load("seq2seq", WORKBOOK))
    torch.manual_seed(seed)
    random.seed(seed)
    encoder = Encoder(input_lang.n_words, EMBED, HIDDEN, dropout)
    if kind == "one vector":
        decoder = PlainDecoder(output_lang.n_words, EMBED, HIDDEN, HIDDEN, dropout)
    else:
        attention = attention_class(kind)(HIDDEN, HIDDEN, SCORE)
        decoder = names["AttentionDecoder"](output_lang.n_words, EMBED, HIDDEN, HIDDEN, attention, dropout)
    return Translator(encoder, decoder, names["summarise"])


def load(path, max_length: int, first: int | None = None, sample: int | None = None):
    """Read pairs and vocabularies: all, the `first` so many pairs, or a random `sample` of so many."""
    french, english, pairs = readLangs("eng", "fra", reverse=True, path=path)
    pairs = filterPairs(pairs, max_length)[:first]
    if sample:
        pairs = random.Random(0).sample(pairs, sample)
    for source, target in pairs:
        french.addSentence(source)
        english.addSentence(target)
    return french, english, pairs


def epoch(model, data, optimizer, batch_size, generator):
    """Train one epoch with a fixed learning rate; return the mean loss per word and the number of words."""
    lesson = functions()
    total = words = 0.0
    for batch in batches(data, batch_size, generator):

        def compute_loss(batch=batch):
            scores = lesson["decode"](model, batch.source, batch.source_mask, batch.target, 1.0)
            return lesson["loss"](scores, batch.target)

        count = int(batch.target_mask.sum())
        total += count * lesson["step"](model, optimizer, compute_loss)
        words += count
    return total / words, words


def overfit() -> None:
    """Print after how many epochs and seconds the loss on 100 pairs falls below 0.05 per word."""
    cases = [("embedded, the first 100", "embedded", 100, None), ("embedded, 100 at random", "embedded", None, 100)]
    if corpus_file():
        cases += [("real, the first 100", None, 100, None), ("real, 100 at random", None, None, 100)]
    print("\n| 100 pairs | seed | epochs | loss | CPU-s |\n| --- | --- | --- | --- | --- |")
    for title, path, first, sample in cases:
        french, english, pairs = load(path, 10, first, sample)
        data = pad_pairs(pairs, french, english)
        for seed in range(3):
            model = build("attention", french, english, seed, dropout=0.0)
            optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
            generator = torch.Generator().manual_seed(seed)
            start = time.process_time()
            epochs, loss = 0, float("inf")
            while loss > 0.05 and epochs < 200:
                loss, _ = epoch(model, data, optimizer, 20, generator)
                epochs += 1
            print(f"| {title} | {seed} | {epochs} | {loss:.4f} | {time.process_time() - start:.1f} |")


def quality(kinds=("attention", "one vector"), paths=("embedded", None)) -> None:
    """Print the BLEU of each kind of model on held-out pairs, by seed and by sentence length."""
    names = reference_names(Lesson.load("seq2seq", WORKBOOK))
    paths = [path for path in paths if path or corpus_file()]
    print("\n| pairs | model | seed | CPU-s | BLEU | BLEU by source length |\n| --- | --- | --- | --- | --- | --- |")
    for path in paths:
        french, english, pairs = load(path, 33)
        training, held_out = split_pairs(pairs)
        data = pad_pairs(training, french, english)
        sources, references = zip(*held_out, strict=True)
        for kind in kinds:
            for seed in range(SEEDS if path else 1):
                model = build(kind, french, english, seed)
                start = time.process_time()
                train(model, data, epochs=EPOCHS if path else 4, seed=seed, **functions())
                seconds = time.process_time() - start
                translations = translate(model, sources, french, english, names["greedy_decode"])
                curve = bleu_by_length(sources, translations, references)
                shown = ", ".join(f"{score:.0f} ({length:.0f})" for length, score in curve)
                score = bleu(translations, references)
                print(f"| {path or 'real'} | {kind} | {seed} | {seconds:.0f} | {score:.1f} | {shown} |", flush=True)


def controls() -> None:
    """Print the BLEU of the lesson's controls, which score states in another way than the lesson's attention."""
    quality(tuple(CONTROLS), ("embedded",))


if __name__ == "__main__":
    torch.set_num_threads(1)
    parts = {"overfit": overfit, "bleu": quality, "controls": controls}
    for name in sys.argv[1:] or parts:
        parts[name]()
