"""What the lesson `recall` says of its porters holds on each of the five seeds of `benchmarks/recall.md`."""

import re
from collections import defaultdict

import pytest

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.lesson.text import Lesson
from autograder.lesson.translation import prose

SEEDS = {"0", "1", "2", "3", "4"}
ROW = re.compile(
    r"^\| (?P<what>[^|]+) \| (?P<d>\d+) \| (?P<seed>\d) \| (?P<cpu>\d+) \| (?P<shares>[^|]+) \|$", re.MULTILINE
)
Seeds = dict[str, dict[int, float]]


@pytest.fixture(scope="module")
def measured() -> dict[tuple[str, int], Seeds]:
    """The percentage of right answers by memory and width, by seed, by number of guests."""
    text = (ROOT / "benchmarks" / "recall.md").read_text(encoding="utf-8")
    found: dict[tuple[str, int], Seeds] = defaultdict(dict)
    for row in ROW.finditer(text):
        shares = {int(guests): float(share) for share, guests in re.findall(r"([\d.]+) \((\d+)\)", row["shares"])}
        found[row["what"], int(row["d"])][row["seed"]] = shares
    assert all(set(seeds) == SEEDS for seeds in found.values())
    return found


@pytest.fixture(scope="module")
def text() -> str:
    return " ".join("\n\n".join(prose(Lesson.load("recall", WORKBOOK))).split())


def at(seeds: Seeds, guests: int) -> list[float]:
    return [seeds[seed][guests] for seed in sorted(SEEDS)]


@pytest.mark.parametrize("d", [8, 12, 16, 24, 32])
def test_a_table_has_two_thirds_right_at_an_eighth_of_its_numbers(measured, text, d):
    assert "Such a table holds about $d^2/8$ pairs if two thirds of the answers must be right." in text
    trained, drawn = at(measured["table", d], d * d // 8), at(measured["random vectors", d], d * d // 8)
    assert all(60 <= share <= 70 for share in trained)
    assert all(45 <= share <= 60 for share in drawn)


def test_no_control_moves_the_wall_but_softmax(measured, text):
    table = at(measured["table", 16], 32)
    longer, short = (at(measured[f"table, {how}", 16], 32) for how in ("four times as long", "at most 8 guests"))
    assert "four times the training changes next to nothing" in text
    assert all(abs(a - b) <= 3 for a, b in zip(table, longer, strict=True))
    assert "teach nearly everything there is to learn" in text
    assert all(0 <= a - b <= 10 for a, b in zip(table, short, strict=True))
    assert "Softmax gets everything right" in text and min(at(measured["softmax", 16], 256)) >= 99.5


def test_a_window_has_half_right_at_twice_its_pairs_and_the_table_more(measured, text):
    assert "gets half of the answers right at 32 guests; the table gets more right, with only 256 numbers" in text
    windows, tables = at(measured["window of 16", 16], 32), at(measured["table", 16], 32)
    assert all(48 <= window <= 53 and table > window for window, table in zip(windows, tables, strict=True))
    assert min(at(measured["window of 16", 16], 16)) >= 99.5


def test_told_twice_only_the_delta_rule_is_right(measured):
    table, softmax, delta = (at(measured[f"told twice: {how}", 32], 16) for how in ("table", "softmax", "delta rule"))
    assert all(45 <= share <= 55 for share in table + softmax) and min(delta) >= 99


def test_where_nobody_moves_the_delta_rule_is_worse(measured, text):
    assert "they got about 70% right, against 90%" in text
    delta, table = at(measured["delta rule, nobody moves", 16], 16), at(measured["table", 16], 16)
    assert all(abs(share - 70) <= 4 for share in delta) and all(abs(share - 90) <= 3 for share in table)


def test_the_share_that_an_essay_names_is_the_measured_one(measured, text):
    named = re.search(r"with a table of 32 × 32, gets (\d+)% at 256 guests", text)
    assert named and all(abs(share - int(named[1])) <= 2.5 for share in at(measured["table", 32], 256))


def again(benchmark: str, row: str) -> list[float]:
    """The nats of a letter of `again`, by seed, in the rows of a benchmark's table."""
    lines = (ROOT / "benchmarks" / f"{benchmark}.md").read_text(encoding="utf-8").splitlines()
    tables = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    heads = next(cells for cells in tables if "again" in cells)
    found = [dict(zip(heads, cells, strict=True)) for cells in tables if cells[0] == row and len(cells) == len(heads)]
    assert [one["seed"] for one in found] == sorted(SEEDS)
    return [float(one["again"]) for one in found]


def test_a_table_in_the_second_layer_of_gpt_repeats_a_part_of_each_name(text):
    said = (
        r"a letter cost ([\d.]+) to ([\d.]+) nats, on every seed; with softmax it cost "
        r"([\d.]+) to ([\d.]+), and with only one layer ([\d.]+) "
    )
    claimed = re.search(said, text)
    table = again("recall", "a table in the second layer")
    softmax, one = again("gpt", "two layers"), again("gpt", "one layer")
    assert claimed and [
        *(f"{find(table):.1f}" for find in (min, max)),
        *(f"{find(softmax):.2f}" for find in (min, max)),
        f"{max(one):.1f}",
    ] == list(claimed.groups())
