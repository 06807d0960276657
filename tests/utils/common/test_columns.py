"""Lines of so many columns: as textwrap breaks them where there are words, and of Han characters two columns each."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from utils.common.columns import columns, wrap

WORDS = st.lists(st.text("abcdefg.,", min_size=1, max_size=17), max_size=40).map(" ".join)


@given(WORDS, st.integers(20, 60))
def test_words_are_broken_as_the_standard_library_breaks_them(text, width):
    expected = textwrap.wrap(text, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    assert wrap(text, width, "  ") == expected


@pytest.mark.parametrize("width", [10, 11, 24])
def test_han_characters_take_two_columns_and_no_line_begins_with_a_comma(width):
    text = "注意力权重，沿键的方向求和为一；每一行，都是如此。softmax 之后再乘以值，就得到上下文向量。"
    lines = wrap(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(columns(line) <= width for line in lines) and len(lines) > 3
    assert not any(line[0] in "，。；" for line in lines)


def test_a_no_break_space_stays_within_its_line():
    assert wrap("trois tests\xa0: aucun", 12) == ["trois", "tests\xa0:", "aucun"]


def test_columns_of_a_text():
    assert (columns("abc"), columns("注意"), columns("é"), columns("（a）")) == (3, 4, 1, 5)
