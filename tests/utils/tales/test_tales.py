"""Tales: what the grammar writes, the judge accepts; letters and kinds agree; names are new."""

import math
import random
import zlib
from collections import Counter

import pytest
import torch

from utils.common.errors import DataError
from utils.gpt.tales import grammar, judge, letters

TOLD = list(grammar.tales(300, seed=7))


def test_every_tale_is_well_formed_and_consistent():
    for told in TOLD:
        judged = judge.judge(told.text)
        assert (judged.sentences, judged.well_formed) == (grammar.SENTENCES, grammar.SENTENCES), told.text
        assert set(judged.names) <= set(told.names) and judged.is_consistent
        assert judged.oneself == 0


@pytest.mark.parametrize(
    ("text", "sentences", "well_formed", "names"),
    [
        ("Nelako met Sirute by the river. Sirute saw Nelako. ", 2, 2, 2),
        ("Nelako met Sirute. Nelako saw Siru", 1, 1, 2),  # the last sentence is not finished
        ("Nelako met Nelako. ", 1, 1, 1),
        ("Nelako met sirute. ", 1, 0, 1),
        ("Nelako met Sirut. ", 1, 0, 2),
        ("Nelako ate Sirute. ", 1, 0, 2),
        ("Nelako met Sirute by the sea. ", 1, 0, 2),
        ("Nelako met Sirute. Nelaki saw Dopima. ", 2, 2, 4),
        ("", 0, 0, 0),
    ],
)
def test_judge_by_hand(text, sentences, well_formed, names):
    judged = judge.judge(text)
    assert (judged.sentences, judged.well_formed, len(judged.names)) == (sentences, well_formed, names)
    assert judged.is_consistent == (names <= 3)


def test_sentences_in_which_somebody_meets_himself_are_well_formed_and_counted_apart():
    judged = judge.judge("Nelako met Nelako. Nelako met Sirute. Sirut met Sirut. Dopima saw Dopima by the river. ")
    assert (judged.well_formed, judged.oneself) == (3, 2)


def test_kinds_tell_first_mentions_from_later_ones():
    told = grammar.Tale(("Nelako", "Sirute"))
    for words in ("Nelako", " met ", "Sirute", ". ", "Nelako"):
        (told.mention if words in told.names else told.tell)(words)
    signs = "".join("pwfa"[kind] for kind in told.kinds)
    assert told.text == "Nelako met Sirute. Nelako"
    assert signs == "wfffffpppppwfffffppwaaaaa"


def test_a_tale_labels_each_letter_and_each_name_once_as_first():
    for told in TOLD:
        assert len(told.kinds) == len(told.text)
        mentioned = judge.judge(told.text).names
        assert told.kinds.count(grammar.FIRST) == 5 * len(mentioned)
        assert told.kinds.count(grammar.WHO) == 2 * grammar.SENTENCES


def test_names_come_from_fair_dice():
    rng = random.Random(3)
    seen = Counter(grammar.invented_name(rng)[2] for _ in range(14_000))
    assert len(seen) == len(grammar.CONSONANTS)
    assert all(abs(count - 1000) < 150 for count in seen.values())  # five standard deviations
    nats = (math.log(5) + math.log(14) + math.log(5) + math.log(14) + math.log(5)) / 5
    assert pytest.approx(nats) == grammar.DICE


def test_the_same_seed_tells_the_same_tales():
    assert [told.text for told in grammar.tales(3, 5)] == [told.text for told in grammar.tales(3, 5)]
    assert [told.text for told in grammar.tales(3, 5)] != [told.text for told in grammar.tales(3, 6)]


def test_the_tales_are_those_on_which_the_lesson_s_numbers_were_measured():
    """Whoever changes the grammar measures the numbers in the lesson again, and then notes the tales' sum here."""
    assert zlib.crc32("".join(told.text for told in grammar.tales(1000, seed=0)).encode()) == 773397315


def test_letters_there_and_back():
    for told in TOLD[:20]:
        assert letters.decode(letters.encode(told.text)) == told.text
    assert letters.encode("\n").tolist() == [0]
    with pytest.raises(DataError, match="'q'"):
        letters.encode("queue")


def test_a_row_is_the_line_end_and_what_follows():
    S = 100
    rows = letters.rows_of(TOLD[:9], S)
    assert rows.letters.shape == rows.kinds.shape == (len(rows), S)
    for row, kinds, told in zip(rows.letters, rows.kinds, TOLD[:9], strict=False):
        length = min(S - 1, len(told.text))
        assert letters.decode(row[: length + 1]) == ("\n" + told.text)[: length + 1]
        assert kinds[1 : length + 1].tolist() == told.kinds[:length]


def test_a_row_goes_on_into_the_next_tale():
    rows = letters.rows_of(TOLD[:9], 500)
    assert letters.decode(rows.letters[0]) == ("\n" + "".join(told.text for told in TOLD[:9]))[:500]
    assert 0 < len(rows) < 9  # after the last tales too little follows
    assert torch.equal(rows.letters[1], letters.rows_of(TOLD[1:9], 500).letters[0])


def test_unseen_rows_have_new_names_alone():
    known = letters.training_rows(200, 60, seed=7).names
    fresh = letters.unseen_rows(300, 60, 8, known)
    assert known.isdisjoint(fresh.names) and 0 < len(fresh) <= 300
    names = frozenset(name for told in TOLD for name in told.names)
    assert letters.unseen_rows(300, 60, 7, names).names == frozenset()
