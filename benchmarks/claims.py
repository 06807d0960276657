"""Measures what the lessons' sentences about trained networks say, on five seeds; `claims.md` has the sentences.

    python -m benchmarks.claims [gpt attention seq2seq captioning] > measured.log

trains the lessons' networks as their cells do, one after the other on one thread (some fifty processor minutes for
all), and prints a line of JSON for each network. `tests/autograder/course/test_claims.py` compares the record with the
lessons' text.
"""

import json
import random
import sys
import time
from collections.abc import Iterator
from typing import Any

import torch
from torch.utils.data import TensorDataset

from autograder.common.course import WORKBOOK
from autograder.exams.reference import reference_names
from autograder.lesson.text import Lesson
from benchmarks import captioning_training, punchline, seq2seq
from benchmarks import gpt as language_model
from utils.attention import ground
from utils.attention.sequences import generate
from utils.attention.training import mean_squared_error, predict
from utils.attention.training import train as train_on_sequences
from utils.captioning.scores import describe_split
from utils.gpt import looking, writing
from utils.gpt.tales.letters import Rows, unseen_rows
from utils.seq2seq.scores import bleu, bleu_by_length
from utils.seq2seq.training import train as train_translator
from utils.seq2seq.training import translate

SEEDS = range(5)
WINDOW = 192  # places that a letter may look back, as many as the rows of the training have
SENTENCES = {
    "red": ("elle porte une robe rouge .", "rouge"),
    "white": ("ils vont reparer la voiture blanche .", "blanche"),
}

Numbers = dict[str, float]


def names_of(lesson: str) -> dict[str, Any]:
    return reference_names(Lesson.load(lesson, WORKBOOK))


def gpt(seed: int) -> Iterator[tuple[str, Numbers]]:
    """Two layers, trained as in the lesson; see `looking` for what is measured."""
    names = names_of("gpt")
    rows, unseen = language_model.data(seed)
    made = language_model.build(names, seed, layers=2)
    measured = names["train"](
        made, rows, names["nats"], seed=seed, measure=lambda m: looking.losses_of(m, names["nats"], unseen)
    )
    losses = measured[-1][1]
    scores = looking.scores_of(made, names["induction_score"], unseen)
    numbers = {"plain": losses.plain, "first": losses.first, "again": losses.again}
    numbers["first, highest after a fifth"] = max(found.first for _, found in measured[len(measured) // 5 :])
    numbers |= {"score, layer 1": float(scores[0].max()), "score, layer 2": float(scores[1].max())}
    numbers |= first_layer(made, names, unseen)
    generate_cached = language_model.generate_cached(names["step"])
    for temperature, well, oneself, _, people in writing.judged(
        made, generate_cached, names["nucleus"], rows.names, (0.5, 1.0), tales=language_model.TALES
    ):
        numbers |= {f"well formed at {temperature}": share(well), f"oneself at {temperature}": share(oneself)}
        numbers[f"names at {temperature}"] = float(people)
    long_rows = unseen_rows(600, length=language_model.LONG, seed=10_000 + seed, known=rows.names)
    for name, look in (("all", language_model.LONG), ("window", WINDOW)):
        with looking.window(made, look):
            places = looking.plain_by_place(made, names["nats"], long_rows)
        numbers[f"plain behind 250, {name}"] = max(loss for place, loss in places if place > 250)
    yield "two layers", numbers


def first_layer(made: Any, names: dict[str, Any], unseen: Rows) -> Numbers:
    """Where the heads of the first layer look, and the second layer's highest score without each of them."""
    weights = looking.looks(made, unseen.letters[: looking.MEASURED])[0]
    backs = torch.stack([names["back"](weights, k) for k in range(1, 9)], dim=1)  # (H, 8)
    numbers: Numbers = {}
    for head, back in enumerate(backs):
        numbers |= {f"head {head}, {k} back": float(weight) for k, weight in enumerate(back, start=1)}
        scores = names["score_without"](
            made, head, names["without_heads"], lambda model: looking.scores_of(model, names["induction_score"], unseen)
        )
        numbers[f"best score of layer 2, head {head} of layer 1 off"] = float(scores.max())
    return numbers


def share(text: str) -> float:
    """Return "41%" as 0.41."""
    return float(text.rstrip("%")) / 100


def attention(seed: int) -> Iterator[tuple[str, Numbers]]:
    """What the convolutions fall back on; the ground made to look evenly; and what 100 or 750 sequences teach."""
    names = names_of("attention")

    def with_attention(channels: int) -> torch.nn.Module:
        torch.manual_seed(seed)
        made: torch.nn.Module = names["attention_network"](names["SelfAttentionLayer"](64, 64, 64), channels)
        return made

    for task, position in ((1, False), (2, True)):
        inputs, targets = generate(punchline.SEQUENCES + punchline.TEST_SEQUENCES, task, seed)
        heights, known = inputs[punchline.SEQUENCES :], targets[: punchline.SEQUENCES]
        variance = known.var().item()
        if position:
            inputs = names["add_position"](inputs, names["positional_encoding"](inputs.shape[-1]))
        training_set, test_set = names["make_datasets"](inputs, targets, punchline.SEQUENCES)

        def trained(model: torch.nn.Module, steps: int, count: int, part: Any = training_set) -> torch.nn.Module:
            train_on_sequences(model, TensorDataset(*part[:count]), names["training_loop"], steps, seed=seed)
            return model

        if task == 1:
            torch.manual_seed(seed)
            model = trained(names["conv_network"](), punchline.STEPS[1], punchline.SEQUENCES)
            predicted = known.mean() + known.std() * predict(model, test_set[:][0])
            yield "convolutions", fallen_back(heights, predicted)
            for count, steps in ((100, 1_000), (750, punchline.STEPS[1])):
                model, few = trained(with_attention(1), steps, count), TensorDataset(*training_set[:count])
                learned, new = (variance * mean_squared_error(model, part) for part in (few, test_set))
                yield f"{count} sequences", {"error on them": learned, "error on new ones": new, "times": new / learned}
        model = trained(with_attention(inputs.shape[1]), punchline.STEPS[task], punchline.SEQUENCES)
        times = ground.times_the_error(model, names["SelfAttentionLayer"], test_set, heights)
        few = TensorDataset(*training_set[:100])
        learned, new = (variance * mean_squared_error(model, part) for part in (few, test_set))
        yield f"task {task}", {"error": new, "times": new / learned, "times the error, ground even": times}


def fallen_back(heights: torch.Tensor, predicted: torch.Tensor) -> Numbers:
    """Fit a line to the heights of shapes on their own and those predicted for them; see `on_its_own`."""
    own, answered = heights[on_its_own(heights)], predicted[on_its_own(heights)]
    slope = float(((own - own.mean()) * (answered - answered.mean())).mean() / own.var(correction=0))
    kept = float(answered.mean() - slope * own.mean()) / (1 - slope)
    return {"slope": slope, "height that stays": kept}


def on_its_own(heights: torch.Tensor) -> torch.Tensor:
    """Return a mask like `heights` (N, 1, T): a middle point of a shape with eight points of ground on either side."""
    shape = (heights > 0).float()
    window = torch.nn.functional.conv1d(shape, torch.ones(1, 1, 24), padding="same")
    inside = torch.nn.functional.conv1d(shape, torch.ones(1, 1, 8), padding="same")
    return (inside == 8) & (window == 8)


def seq2seq_(seed: int) -> Iterator[tuple[str, Numbers]]:
    """The translator with attention, taught always and half of the time: BLEU, and where two words look."""
    names = names_of("seq2seq")
    french, english, pairs = seq2seq.load("embedded", 33)
    training_pairs, held_out = seq2seq.split_pairs(pairs)
    sources, references = [source for source, _ in held_out], [target for _, target in held_out]
    functions = {"decode": names["decode_with_teacher"], "loss": names["sentence_loss"], "step": names["training_step"]}
    for ratio in (1.0, 0.5):
        model = seq2seq.build("attention", french, english, seed)
        data = seq2seq.pad_pairs(training_pairs, french, english)
        train_translator(model, data, epochs=seq2seq.EPOCHS, teacher_forcing=ratio, **functions)
        written = translate(model, sources, french, english, names["greedy_decode"])
        numbers = {"BLEU": bleu(written, references)}
        numbers["BLEU at 27 words"] = bleu_by_length(sources, written, references)[-1][1]
        for word, (sentence, looked) in SENTENCES.items():
            batch = seq2seq.pad_pairs([(sentence, training_pairs[0][1])], french, english)
            words, weights = names["greedy_decode"](model, batch.source, batch.source_mask, 40)
            english_words = [english.index2word[i] for i in words[0].tolist()]
            looks = dict(names["alignment"](weights[0], [*sentence.split(), "EOS"], english_words))
            numbers[f"{word} looks at {looked}"] = float(looks.get(word) == looked)
        yield f"teacher forcing {ratio:g}", numbers


def captioning(seed: int) -> Iterator[tuple[str, Numbers]]:
    """Captions that are true: of the lesson's model, of that on a grid, and of those without one part."""
    from utils.captioning.scenes.dataset import scene_grids

    names = captioning_training.lesson_names()
    scenes, train = names["scenes"], names["train_captioner"]
    (model, _), _ = captioning_training.quietly(train, scenes, steps=300, seed=seed)
    numbers = {"one vector": describe_split(model, scenes)["true"]}
    grids = scenes | scene_grids()
    (model, _), _ = captioning_training.quietly(train, grids, steps=500, feed_forward=512, seed=seed)
    numbers["grid"] = describe_split(model, grids)["true"]
    yield "models", numbers
    results, _ = captioning_training.quietly(names["ablation"], seed)
    yield "without a part", {name: result["true"] for name, result in results.items()}


MEASURES = {"gpt": gpt, "attention": attention, "seq2seq": seq2seq_, "captioning": captioning}


def measure(lessons: list[str]) -> None:
    """Print a line of JSON for each network of the lessons and each seed."""
    torch.set_num_threads(1)
    for lesson in lessons:
        for seed in SEEDS:
            random.seed(seed)
            start = time.process_time()
            for model, numbers in MEASURES[lesson](seed):
                seconds, start = time.process_time() - start, time.process_time()
                line = {"lesson": lesson, "model": model, "seed": seed, "CPU-s": round(seconds)}
                print("\n" + json.dumps(line | {"numbers": numbers}), flush=True)


if __name__ == "__main__":
    measure(sys.argv[1:] or list(MEASURES))
