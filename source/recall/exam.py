"""The exam of the lesson `recall`: the public checks with other sizes and seeds, and tests that these do not have."""

from typing import Any

from autograder.exams import patients
from autograder.exams.exam import Exam
from utils.checks.engine.probe import Probe
from utils.checks.patients import CURED, NAMED
from utils.recall import check
from utils.recall.patients import PATIENTS

read_all = Exam.of(check.read_all, weights={"sums": 3}, sizes={"N": 2, "S": 5, "T": 13, "d": 8, "D": 10})

write = Exam.of(check.write, weights={"added": 2}, sizes={"N": 4, "d": 6, "D": 9})


@write.test("many pairs, one after the other")
def many_pairs(probe: Probe, write: Any, nn: Any) -> Any:
    N, d, D = probe["N d D"]
    table = probe.normal(N, d, D)
    for _ in range(5):
        table = probe.shaped(write(table, check.directions(probe, N, d), probe.normal(N, D)), N, d, D)
    return table


read = Exam.of(check.read, weights={"looked_up": 2}, sizes={"N": 4, "S": 2, "d": 6, "D": 9})

answers = Exam.of(
    check.answers,
    weights={"answered": 2, "crowded": 2, "answers_on_gpu": 0.3},
    sizes={"N": 4, "T": 13, "d": 6, "V": 9},
)

window = Exam.of(
    check.window,
    weights={"last_four": 3, "window_on_gpu": 0.3},
    sizes={"N": 2, "S": 5, "T": 13, "d": 8, "D": 10},
)

own_code = check.own_code.graded(Exam.of(check.own_code))

axis = Exam.of(check.axis, weights={"alike": 2})


@axis.test("tables of odd widths that forget alike have the same x")
def odd_widths(probe: Probe, axis: Any) -> Any:
    return check.orders(axis, probe, ((5, 50), (15, 450), (7, 98), (21, 882), (21, 883)))


delta = Exam.of(
    check.delta, weights={"corrected": 3, "told_last": 2, "delta_on_gpu": 0.3}, sizes={"N": 4, "d": 6, "D": 9}
)

heal = Exam.of(check.heal)


@heal.test(CURED, weight=2, rtol=0.0, atol=check.LOSSES)
def cured(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    return patients.cured(PATIENTS, "recall", probe, heal, admitted, whose)


@heal.test(NAMED)
def named(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    return patients.named(PATIENTS, "recall", probe, heal, admitted, whose)


numbers_kept = Exam.of(check.numbers_kept)


@numbers_kept.test("a large model: 32 heads of 128, a text of 100,000 words")
def large_model(probe: Probe, numbers_kept: Any) -> Any:
    return probe.several(numbers_kept(100_000, 128, 32), 2)
