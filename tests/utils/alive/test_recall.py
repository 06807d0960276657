"""The explorer of `recall` computes what PyTorch computes: what each memory keeps, brings back and answers."""

import math

import pytest
import torch

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.lesson.text import Lesson
from tests.helpers.alive import in_node, numbers
from tests.helpers.memories import MEMORIES, delta_memory, explored_memories, porter, table_memory
from utils.alive.weights import CannotExport
from utils.recall import explorer, patients
from utils.recall.exporting import TOLD, exported, pairs
from utils.recall.hotel import GUESTS, ROOMS, days
from utils.recall.model import Porter

FOUND = """given.map(({spec, told, asked, options}) => {
    const memory = it.load(spec), table = it.tableOf(memory, told, options);
    return {table, shares: asked.map((guest) => it.shares(memory, told, guest, options)),
            rooms: asked.map((guest) => it.rooms(memory, told, table, guest, options)),
            known: [...it.remember(memory, told, options).answers]}; })"""
PLAIN = {"mistake": "", "strength": 1}


@pytest.fixture(scope="module")
def day():
    """A day of twelve guests; half of them move."""
    return days(12, 1, torch.Generator().manual_seed(5), moved=True)


def computed(given, day):
    """What the page finds for each of `given`: a porter's kind, its options."""
    told, asked = pairs(day.guests[0], day.rooms[0]), day.asked[0].tolist()
    specs = {kind: exported({kind: porter(kind)})["memories"][0] for kind in {kind for kind, _ in given}}
    return in_node(
        "recall/page/memory.js",
        FOUND,
        [{"spec": specs[kind], "told": told, "asked": asked, "options": PLAIN | options} for kind, options in given],
    )


def brought_back(kind, memory, day):
    """How much of each value comes back for each question, (S, T)."""
    made = porter(kind, memory)
    apart = torch.eye(day.guests.shape[1]).unsqueeze(0)
    with torch.no_grad():
        return made.memory(made.queries(day.asked), made.keys(day.guests), apart)[0]


@torch.no_grad()
def test_the_page_computes_what_torch_computes(day):
    for kind, found in zip(MEMORIES, computed([(kind, {}) for kind in MEMORIES], day), strict=True):
        scores = porter(kind)(day.guests, day.rooms, day.asked)[0]
        assert (torch.tensor(found["rooms"]) - scores).abs().max() < 5e-3 * scores.abs().max(), kind
        shares = brought_back(kind, None, day)
        assert (torch.tensor(found["shares"]) - shares).abs().max() < 5e-3, kind
        assert scores.argmax(-1).tolist() != day.right[0].tolist() or kind != "table"
        answered = dict(found["known"])
        latest = dict(zip(day.guests[0].tolist(), day.rooms[0].tolist(), strict=True))
        assert {guest: answer["right"] for guest, answer in answered.items()} == latest
        for guest, row in zip(day.asked[0].tolist(), scores, strict=True):
            assert answered[guest]["room"] == int(row.argmax())
            assert answered[guest]["sure"] == pytest.approx(float(row.softmax(-1).max()), abs=0.01)


@torch.no_grad()
def test_a_table_that_is_read_gives_the_sum_of_the_values_that_come_back(day):
    softmax, table, delta = computed([(kind, {}) for kind in MEMORIES], day)
    assert softmax["table"] is None
    for kind, found in (("table", table), ("delta", delta)):
        made = porter(kind)
        kept = torch.tensor(found["table"]).view(made.d, made.d)
        values = torch.tensor(found["shares"]) @ made.values(day.rooms)[0]
        assert torch.allclose(made.queries(day.asked)[0] @ kept, values, atol=0.01)


@torch.no_grad()
def test_switches_and_the_strength_compute_what_the_mistakes_compute(day):
    def only_last(q, k, v):
        return table_memory(q, k[:, -1:], v[:, -1:])

    def fading(q, k, v):
        ages = torch.arange(k.shape[1]).flip(0)
        return table_memory(q, k, v * 0.9 ** ages.view(1, -1, 1))

    def softmaxed(q, k, v):
        return (q @ k.mT).softmax(-1) @ v

    wrong = [
        ("table", {"mistake": "write_replaces"}, only_last),
        ("table", {"mistake": "write_fades"}, fading),
        ("table", {"mistake": "read_all_softmax"}, softmaxed),
        ("table", {"mistake": "read_scaled"}, lambda q, k, v: table_memory(q, k, v) / math.sqrt(8)),
        ("delta", {"mistake": "read_scaled"}, lambda q, k, v: delta_memory(q, k, v) / math.sqrt(8)),
        ("delta", {"mistake": "delta_only_adds"}, table_memory),
        ("delta", {"mistake": "delta_sign"}, lambda q, k, v: delta_memory(q, k, v, -1.0)),
        ("delta", {"strength": 0.3}, lambda q, k, v: delta_memory(q, k, v, 0.3)),
    ]
    for (kind, options, memory), found in zip(wrong, computed([one[:2] for one in wrong], day), strict=True):
        expected, right = brought_back(kind, memory, day), brought_back(kind, None, day)
        scale = expected.abs().max().clamp(min=1)
        assert (torch.tensor(found["shares"]) - expected).abs().max() < 5e-3 * scale, options
        assert (expected - right).abs().max() > 0.05, options
        scores = porter(kind, memory)(day.guests, day.rooms, day.asked)[0]
        assert (torch.tensor(found["rooms"]) - scores).abs().max() < 1e-2 * scores.abs().max(), options


def test_the_mistakes_of_the_page_are_in_the_catalogue():
    switches = {key.removeprefix("mistake_") for key in explorer.WORDS if key.startswith("mistake_")}
    assert len(switches) == 6 and switches <= set(mistakes.load(Lesson.load("recall", WORKBOOK)))


@torch.no_grad()
def test_the_probe_tells_a_memory_that_is_not_the_lessons():
    probed = "given.map((spec) => it.probed(module_recall_page_memory.load(spec)))"
    right = exported({kind: porter(kind) for kind in MEMORIES})["memories"]
    wrong = exported({"delta": porter("delta", table_memory), "table": porter("table", delta_memory)})["memories"]
    found = in_node("recall/page/explorer.js", probed, right + wrong)
    apart = [
        abs(torch.tensor(mine) - torch.tensor(numbers(spec["probe"]["output"]))).max()
        for mine, spec in zip(found, right + wrong, strict=True)
    ]
    largest = [abs(numbers(spec["probe"]["output"])).max() for spec in right + wrong]
    shares = [float(a / max(1, b)) for a, b in zip(apart, largest, strict=True)]
    assert max(shares[:3]) < 0.02 < min(shares[3:])


@torch.no_grad()
def test_the_page_takes_every_patient_and_computes_the_delta_rule_with_it():
    probed = "given.map((spec) => it.probed(module_recall_page_memory.load(spec)))"
    made = {kind: Porter(delta_memory, patients.WIDTH, unit=False) for kind in map(str, range(8))}
    for kind, model in made.items():
        model.load_state_dict(patients.weights(int(kind)))
    specs = exported(made)["memories"]
    for mine, spec in zip(in_node("recall/page/explorer.js", probed, specs), specs, strict=True):
        output = torch.tensor(numbers(spec["probe"]["output"]))
        off_by = (torch.tensor(mine) - output).abs().max() / output.abs().max().clamp(min=1)
        assert off_by < 0.01, spec["kind"]  # the page refuses a model from 0.02 on


def test_the_first_day_is_as_the_lesson_says_and_the_picture_shows_what_comes_back():
    (first, early), *others, (last, late) = TOLD
    assert first == last and early != late and first not in {guest for guest, _ in others}
    assert all(guest < GUESTS and room < ROOMS for guest, room in TOLD)
    by_kind = {kind: explorer.shares_of(porter(kind), first) for kind in MEMORIES}
    for kind in ("softmax", "table"):
        assert by_kind[kind][0] == pytest.approx(by_kind[kind][-1], rel=1e-5)
    assert explored_memories()._repr_mimebundle_()["image/png"]


def test_a_porter_of_another_form_is_refused():
    with pytest.raises(CannotExport, match="Linear"):
        exported({"table": torch.nn.Linear(2, 2)})


def test_days_of_the_page_have_as_many_new_guests_as_are_asked_for():
    expression = """(() => {
        const roll = it.dice(given), sizes = {guests: 20, rooms: 5}, told = it.more([], 8, roll, sizes);
        return {told, all: it.more(told, 50, roll, sizes), moved: it.moved(told, told[0].guest, roll, sizes)}; })()"""
    found = in_node("recall/page/day.js", expression, 3)
    told, added = found["told"], found["all"]
    assert len({pair["guest"] for pair in told}) == 8 and len(added) == 12
    assert not {pair["guest"] for pair in told} & {pair["guest"] for pair in added}
    assert found["moved"]["guest"] == told[0]["guest"] and found["moved"]["room"] != told[0]["room"]
