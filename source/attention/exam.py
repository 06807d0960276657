"""Exams of the lesson `attention`: the public checks' tests with fresh seeds, and hidden tests."""

from typing import Any

import torch

from autograder.exams import patients
from autograder.exams.exam import Exam
from utils.attention import check
from utils.attention.check import fill_in_order, in_any_order, raw_sequences, shape_of
from utils.attention.patients import PATIENTS
from utils.checks.engine.probe import Probe
from utils.checks.patients import CURED, NAMED
from utils.common.messages import N_

make_datasets = Exam.of(check.make_datasets, weights={"datasets_on_gpu": 0.3})


@make_datasets.test("pairs come out one by one, input and target", weight=0.5, **check.LENIENT)
def pairs(probe: Probe, make_datasets: Any) -> Any:
    inputs, targets, n_train = raw_sequences(probe)
    training_set = make_datasets(inputs, targets, n_train)[0]
    x, y = probe.value(training_set[7])
    return {N_("the inputs"): x[:, :5], N_("the targets"): y[:, :5]}


@make_datasets.test("another number of channels and of training sequences", weight=0.5, **check.LENIENT)
def other_sizes(probe: Probe, make_datasets: Any) -> Any:
    # 50 to 80 of the 83 sequences, so many that dividing by N and by N - 1 agree within the tolerance.
    n_train = int(probe.integers(50, 80))
    inputs = 5 * probe.normal(83, 1, 101) + 2
    inputs[n_train:] *= 3
    sets = make_datasets(inputs, probe.normal(83, 1, 101), n_train)
    known, new = probe.values(sets[0].tensors[0], sets[1].tensors[0])
    return {
        N_("the shapes"): [shape_of(known), shape_of(new)],
        N_("the training set"): known[0, :, :9],
        N_("the test set"): new[0, :, :9],
    }


own_code = check.own_code.graded(Exam.of(check.own_code))

conv_network = Exam.of(check.conv_network, weights={"output": 2})


@conv_network.test("a point changes the output up to 8 points away, and no further")
def horizon(probe: Probe, conv_network: Any) -> Any:
    C, E = probe["C E"]
    network = fill_in_order(probe, conv_network(C, E), C)
    x = probe.normal(1, C, 41)
    before = probe.value(network(x))
    x[0, :, 20] += 3
    return (probe.value(network(x)) - before).abs().amax((0, 1)) > 1e-6


update = Exam.of(check.update, weights={"updates": 3, "plain_number": 0.5, "one_channel": 0.5})


@update.test("another optimizer, whose steps have momentum", weight=2)
def with_momentum(probe: Probe, update: Any, nn: Any, SGD: Any) -> Any:
    model = check.one_convolution(probe, nn)
    optimizer = SGD(model.parameters(), lr=0.1, momentum=0.9)
    return check.after_updates(probe, update, model, optimizer, 3)


@update.test("the mean, however many sequences and positions there are", weight=0.5)
def mean(probe: Probe, update: Any, nn: Any, SGD: Any) -> Any:
    N, C, T = probe["N C T"]
    inputs, targets = probe.normal(N, C, T), probe.normal(N, 1, T)
    losses = []
    for times in (1, 2):  # a convolution of width 1, so that repeated positions change nothing
        model = probe.fill(nn.Conv1d(C, 1, 1))
        optimizer = SGD(model.parameters(), lr=0.1)
        losses.append(update(model, optimizer, inputs.repeat(times, 1, 3), targets.repeat(times, 1, 3)))
    return [torch.as_tensor(loss).double() for loss in probe.values(*losses)]


wished_attention = Exam.of(check.wished_attention, weights={"table": 2})


@wished_attention.test("neighbouring slots of different kinds, and positions that agree with no other")
def every_pair(probe: Probe, wished_attention: Any) -> Any:
    kind = torch.cat([torch.zeros(3, dtype=torch.int64), torch.arange(1, 3).repeat_interleave(8)])
    slot = torch.cat([torch.zeros(3, dtype=torch.int64), torch.arange(8).repeat(2)])
    order = torch.from_numpy(probe.rng.permutation(len(kind)))
    return wished_attention(kind[order], slot[order])


@wished_attention.test("a sequence without shapes, in which each position looks at all of them")
def ground_alone(probe: Probe, wished_attention: Any) -> Any:
    nothing = torch.zeros(int(probe.integers(9, 14)), dtype=torch.int64)
    return wished_attention(nothing, nothing)


self_attention = Exam.of(check.self_attention, weights={"weighted_mean": 3, "attention": 2, "on_gpu": 0.3})


@self_attention.test("other widths and another length")
def other_widths(probe: Probe, SelfAttentionLayer: Any) -> Any:
    layer = probe.fill(SelfAttentionLayer(3, 2, 13))
    return layer(probe.normal(1, 3, 17))


@self_attention.test("a single sequence, and the first of a batch")
def alone(probe: Probe, SelfAttentionLayer: Any) -> Any:
    N, D, T, E, d = probe["N D T E d"]
    layer = probe.fill(SelfAttentionLayer(D, E, d))
    x = probe.normal(N, D, T)
    return probe.values(layer(x[:1]), layer(x)[0])


@self_attention.test("shuffling the positions shuffles the output, and changes nothing else")
def shuffled(probe: Probe, SelfAttentionLayer: Any) -> Any:
    N, D, T, E, d = probe["N D T E d"]
    layer = probe.fill(SelfAttentionLayer(D, E, d))
    order = probe.rng.permutation(T).tolist()
    x = probe.normal(N, D, T)
    mixed, plain = probe.values(layer(x[:, :, order]), layer(x))
    return bool((mixed - plain[:, :, order]).abs().max() < 1e-4)


positional_encoding = Exam.of(check.positional_encoding, weights={"binary": 2})


@positional_encoding.test("positions to 99, and lengths that are powers of two")
def lengths(probe: Probe, positional_encoding: Any) -> Any:
    chosen = [64, 100, int(probe.integers(33, 64))]
    tables = {length: in_any_order(probe.value(positional_encoding(length)).double()) for length in chosen}
    rows = N_("rows from the lowest bit on")
    return {f"positional_encoding({length})": {rows: table} for length, table in tables.items()}


add_position = Exam.of(check.add_position, weights={"joined": 2, "joined_on_gpu": 0.3})


@add_position.test("as many sequences as channels, as many bits as positions: nothing may be guessed from sizes")
def square(probe: Probe, add_position: Any) -> Any:
    return add_position(probe.normal(3, 3, 3), probe.normal(3, 3))


heal = Exam.of(check.heal)


@heal.test(CURED, weight=2, rtol=0.0, atol=check.ERRORS)
def cured(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    return patients.cured(PATIENTS, "attention", probe, heal, admitted, whose)


@heal.test(NAMED)
def named(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    return patients.named(PATIENTS, "attention", probe, heal, admitted, whose)
