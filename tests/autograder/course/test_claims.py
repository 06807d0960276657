"""What lessons say of trained networks has a line in `benchmarks/claims.md`, which says on how many seeds it holds."""

import re

import pytest

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.lesson.text import Lesson
from autograder.lesson.translation import prose

RECORD = (ROOT / "benchmarks" / "claims.md").read_text(encoding="utf-8")
NUMBERED = re.compile(r"\b(one|two|three|four|five|most|some|only)\b")


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table below a heading of the record."""
    lines = RECORD.partition(f"\n## {heading}\n")[2].partition("\n## ")[0].splitlines()
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return table[2:]


FIVE = rows("Five seeds, all hold")
WORDED = rows("Fewer, and the sentence says so")
SHOWN = rows("Fewer, beside the student's own number or figure")


@pytest.mark.parametrize("row", FIVE + WORDED + SHOWN, ids=lambda row: row[1][:40])
def test_the_lesson_says_what_the_record_quotes(row):
    assert row[1] in "\n\n".join(prose(Lesson.load(row[0], WORKBOOK)))


@pytest.mark.parametrize("row", WORDED, ids=lambda row: row[1][:40])
def test_what_holds_on_fewer_than_five_seeds_says_on_how_many(row):
    held, tried = map(int, row[2].split(" of "))
    assert 0 < held <= tried <= 5 and held < 5 and NUMBERED.search(row[1])


@pytest.mark.parametrize("row", SHOWN, ids=lambda row: row[1][:40])
def test_what_was_tried_on_fewer_seeds_stands_beside_the_students_own_run(row):
    held, tried = map(int, row[3].split(" of "))
    names = {cell.name for cell in Lesson.load(row[0], WORKBOOK).of_role("show")}
    assert held == tried and row[2].strip("`") in names


@pytest.mark.parametrize("row", FIVE + WORDED, ids=lambda row: row[1][:40])
def test_each_record_that_is_named_exists(row):
    assert row[-1] in ("below", "by eye") or (ROOT / "benchmarks" / row[-1].strip("`")).is_file()


def test_the_two_scores_of_teacher_forcing_cannot_be_told_apart():
    (ones, halves) = zip(
        *((float(row[1]), float(row[2])) for row in rows("Teacher forcing, and where two words look")), strict=True
    )
    differences = [half - one for one, half in zip(ones, halves, strict=True)]
    assert min(differences) < 0 < max(differences) and abs(sum(differences)) / 4 < 1


def test_convolutions_go_halfway_to_the_mean_and_a_hundred_sequences_are_learned_by_heart():
    measured = rows("What four convolutions fall back on, and what 100 sequences teach")
    assert len(measured) == 5
    for _, slope, stays, known, new, times in measured:
        assert abs(float(slope) - 0.5) < 0.02 and abs(float(stays) - 15) < 0.6
        assert float(times) > 2 and abs(float(new) / float(known) - float(times)) < 0.3


def test_with_position_it_matters_where_the_ground_looks_on_every_seed():
    measured = [tuple(map(float, row)) for row in rows("Where the ground looks")]
    assert [seed for seed, _, _ in measured] == [0, 1, 2, 3, 4]
    assert all(task_1 < 3 < 10 < task_2 for _, task_1, task_2 in measured)


def test_the_two_layers_of_gpt_are_as_their_sentences_say_on_every_seed():
    found = [[float(cell.rstrip("%")) for cell in row] for row in rows("The two layers of gpt")]
    assert [row[0] for row in found] == [0, 1, 2, 3, 4]
    for _, weight, best, without, at_half, at_one, all_places, window in found:
        assert weight <= 1 / 3 and 0.24 < (best - without) / best < 0.52
        assert at_half > at_one > 15 and window < 0.5 < 1.5 < all_places
