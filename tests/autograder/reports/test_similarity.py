"""Which submissions count as similar, at every bound; answers are rows of numbers, whose runs are counted by hand.

Of n different numbers there are n - 9 runs of ten; each number stands in one row only.
"""

import pytest

from autograder.reports.similarity import SimilarPair, runs, similar, tokens


def numbers(first: int, count: int) -> str:
    return " ".join(str(number) for number in range(first, first + count))


COPIED = numbers(1000, 24)  # 15 runs, the fewest that count


def classmates(count: int) -> dict[str, dict[str, str]]:
    """Students who have nothing in common."""
    return {f"s{student:03}": {"own": numbers(10_000 + 100 * student, 30)} for student in range(count)}


@pytest.mark.parametrize(("count", "found"), [(9, 0), (10, 1), (11, 2), (24, 15)])
def test_a_run_is_ten_tokens(count, found):
    assert len(runs(numbers(1, count))) == found


def test_the_students_names_are_one_name_and_keywords_numbers_and_texts_are_themselves():
    assert tokens("def f(x):  # a comment\n    return x + 1 if y else 'no'") == [
        *("def", "n", "(", "n", ")", ":", "return", "n", "+", "1", "if", "n", "else", "'no'")
    ]


def test_a_cell_is_compared_to_its_twenty_thousandth_character():
    assert len(tokens("1\n" * 12_000)) == 10_000


@pytest.mark.parametrize(("count", "similar_pairs"), [(23, 0), (24, 1)])
def test_fewer_than_fifteen_runs_in_common_are_chance(count, similar_pairs):
    answers = {student: {"copied": numbers(1, count)} for student in ("ada", "bob")}
    assert len(similar(answers, [])) == similar_pairs


@pytest.mark.parametrize(("own", "share"), [(0, 1.0), (24, 0.5), (25, None)])
def test_half_of_the_shorter_ones_runs_are_similar(own, share):
    answers = {
        "ada": {"copied": COPIED, "own": numbers(1, own)},
        "bob": {"copied": COPIED, "own": numbers(500, 25)},
    }
    assert [pair.share for pair in similar(answers, [])] == ([share] if share else [])


def test_a_copy_inside_a_long_notebook_is_found():
    answers = {"ada": {"copied": COPIED}, "bob": {"copied": COPIED, "own": numbers(1, 900)}}
    assert similar(answers, []) == [SimilarPair("ada", "bob", 1.0, 15, ("copied",))]
    assert similar({"zoe": answers["ada"], "bob": answers["bob"]}, [])[0].share == 1.0


def test_what_was_given_is_nobodys_own():
    answers = {student: {"copied": COPIED} for student in ("ada", "bob")}
    assert similar(answers, [COPIED]) == []
    assert similar(answers, [numbers(1000, 10)]) == []  # one run of the fifteen was given


@pytest.mark.parametrize(
    ("writers", "size", "found"),
    [(2, 2, True), (3, 39, True), (4, 39, False), (4, 40, True), (5, 49, False), (5, 50, True)],
)
def test_what_more_than_three_and_more_than_a_tenth_of_the_class_wrote_is_forced_by_the_task(writers, size, found):
    answers = classmates(size)
    for student in list(answers)[:writers]:
        answers[student] = {"copied": COPIED}
    assert len(similar(answers, [])) == (writers * (writers - 1) // 2 if found else 0)


def test_the_most_similar_pair_and_cell_come_first():
    """Ada and bob share all of a short answer; cyd and dan all of a long one; eve and fay share a part."""
    answers = {
        **{student: {"copied": COPIED} for student in ("ada", "bob")},
        **{
            student: {"a_short": numbers(2000, 25), "long": numbers(3000, 40), student: numbers(100 * number, 12)}
            for number, student in enumerate(("cyd", "dan"), start=1)
        },
        **{
            student: {"copied": numbers(4000, 30), student: numbers(100 * number, 20)}
            for number, student in enumerate(("eve", "fay"), start=3)
        },
        **{student: {"copied": numbers(5000, 40)} for student in ("guy", "hua")},
    }
    found = [(pair.first, pair.second, round(pair.share, 2), pair.common) for pair in similar(answers, [])]
    assert found == [
        ("guy", "hua", 1.0, 31),
        ("ada", "bob", 1.0, 15),
        ("cyd", "dan", 0.94, 47),  # 16 and 31 of 50
        ("eve", "fay", 0.66, 21),  # 21 of 32
    ]
    cells = {pair.first: pair.cells for pair in similar(answers, [])}
    assert cells["cyd"] == ("long", "a_short")
