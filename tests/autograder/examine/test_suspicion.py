"""Flags are worth reading: only code that does something raises one."""

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.common.paths import lesson_names
from autograder.examine.suspicion import SUSPICIOUS, code_alone, suspicions
from autograder.lesson.text import Lesson
from benchmarks.proof.verdicts import cases


def flags(source):
    return suspicions([nbformat.v4.new_code_cell(source, id="one")], [])


@pytest.mark.parametrize(
    "source",
    [
        "# see Transformer_Captioning.ipynb, or autograder/",
        "x = 1  # é: os.environ is not for us",
        'def f():\n    """Reads gradebook.db and os.system("…")."""\n    return 1',
        "Q: torch.Tensor = self.query(query)",
        "pe: torch.Tensor = torch.zeros(1, max_len, embed_dim)",
    ],
)
def test_what_does_nothing_raises_no_flag(source):
    assert flags(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "torch.allclose = lambda *a, **k: True",
        'open("gradebook.db")  # nothing to see',
        'x = """os.environ"""',
        "x: os.system('ls') = 1",
        "%run gradebook.py",
        'é = "é"; import os; os.environ  # é',
        "import os\rx = 1  # b\ros.environ",
    ],
)
def test_what_does_something_still_does(source):
    assert flags(source) != []


@pytest.mark.parametrize(("words", "pattern"), [entry[:2] for entry in SUSPICIOUS])
def test_each_match_holds_one_of_the_words_that_it_is_looked_for_by(words, pattern):
    @given(st.from_regex(pattern, fullmatch=True))
    def holds(match):
        assert any(word in match for word in words.split())

    holds()


def test_lines_and_lengths_stay():
    source = 'a = 1  # é ü\n"""text\nmore"""\nb = "é"  # c\n'
    assert [len(line.rstrip()) for line in code_alone(source).split("\n")] == [5, 0, 0, 7, 0]


@pytest.mark.parametrize("name", lesson_names())
def test_no_correct_variant_is_flagged(name):
    found = {case.name: flags(case.code) for case in cases(Lesson.load(name), kinds=("variants",))}
    assert {name: flag for name, flag in found.items() if flag} == {}
