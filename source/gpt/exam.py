"""Exams of the lesson `gpt`: the public checks' tests with other sizes and fresh seeds, and hidden tests."""

from typing import Any

import torch

from autograder.exams import patients
from autograder.exams.exam import Exam
from utils.checks.engine.probe import Probe
from utils.checks.patients import CURED
from utils.gpt import check
from utils.gpt.patients import PATIENTS

nats = Exam.of(check.nats, weights={"each_letter": 3}, sizes={"N": 5, "S": 8, "V": 11})

rms_norm = Exam.of(check.rms_norm, weights={"normalised": 3}, sizes={"N": 4, "S": 9, "E": 7})


@rms_norm.test("large and small vectors in one batch, each divided by its own root")
def own_root(probe: Probe, RMSNorm: Any) -> Any:
    N, S, E = probe["N S E"]
    return check.norm_layer(probe, RMSNorm)(probe.normal(N, S, E) * torch.arange(1.0, S + 1).unsqueeze(1) ** 3)


block = Exam.of(check.block, weights={"stream": 4}, sizes={"N": 2, "S": 5, "E": 7})


@block.test("two blocks, one on top of the other")
def two_blocks(probe: Probe, Block: Any) -> Any:
    N, S, E = probe["N S E"]
    layer = check.small_block(probe, Block)
    return layer(layer(probe.normal(N, S, E)))


rotate = Exam.of(
    check.rotate,
    weights={"turned": 3, "from_start": 3, "rotated_on_gpu": 0.3},
    sizes={"N": 7, "H": 2, "S": 5, "d": 14},
)


@rotate.test("long texts", atol=1e-3)
def far_away(probe: Probe, rotate: Any, nn: Any) -> Any:
    # float32 angles up to 500 are right to 3e-5
    return rotate(probe.normal(1, 1, 3, 8), 497)


self_attention = Exam.of(
    check.self_attention,
    weights={"weights": 3, "result": 3, "attention_on_gpu": 0.3},
    sizes={"N": 5, "S": 11, "E": 24, "H": 3, "d": 8},
)

own_code = check.own_code.graded(Exam.of(check.own_code))

induction_score = Exam.of(
    check.induction_score, weights={"score": 3, "score_on_gpu": 0.3}, sizes={"N": 4, "H": 8, "S": 13, "V": 6}
)

without_heads = Exam.of(check.without_heads, weights={"one_less": 2}, sizes={"N": 2, "S": 9, "E": 24, "H": 4, "d": 6})

back = Exam.of(check.back, weights={"diagonal": 3}, sizes={"N": 7, "H": 5, "S": 11})


@back.test("another distance")
def another_distance(probe: Probe, back: Any) -> Any:
    return back(check.where_heads_look(probe), 6)


score_without = Exam.of(check.score_without, weights={"fresh_model": 3, "same_model": 2}, sizes={"H": 7})


@score_without.test("a model with one head in each layer")
def one_head(probe: Probe, score_without: Any, Model: Any, without_heads: Any, scores_of: Any) -> Any:
    return score_without(probe.fill(Model(1)), 0, without_heads, scores_of)


nucleus = Exam.of(check.nucleus, weights={"kept": 2, "nucleus_on_gpu": 0.3}, sizes={"N": 5, "V": 9})


@nucleus.test("the probabilities of each row sum to 1")
def sums(probe: Probe, nucleus: Any) -> Any:
    return nucleus(check.scores_to_draw(probe), 0.8, 0.75).sum(dim=-1)


generate = Exam.of(check.generate, weights={"continued": 3, "generated_on_gpu": 0.3}, sizes={"N": 4, "S": 6, "V": 13})

step = Exam.of(
    check.step,
    weights={"then_one": 2, "several_new": 2, "step_on_gpu": 0.3},
    sizes={"N": 13, "S": 11, "E": 24, "H": 3, "d": 8},
)


@step.test("many pieces of different lengths")
def many_pieces(probe: Probe, step: Any, Attention: Any) -> Any:
    return check.outputs_in_chunks(probe, step, Attention, (1, 5, 4, 1, 6))


heal = Exam.of(check.heal)


@heal.test(CURED, weight=2, rtol=0.0, atol=check.LOSSES)
def cured(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    return patients.cured(PATIENTS, "gpt", probe, heal, admitted, whose)


@heal.test(check.NAMED)
def named(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    return patients.named(PATIENTS, "gpt", probe, heal, admitted, whose)
