"""The English that people read keeps few habits of German order (`benchmarks/english.md`)."""

import re

from benchmarks.english import HABITS, MOST, counts, texts


def test_few_habits_of_german_order_are_left():
    number = counts()
    assert number.total() < MOST, number.most_common(12)


def test_every_kind_of_text_is_read_and_a_habit_is_found():
    names = {name for name, _ in texts()}
    assert {"README.md", "docs/instructor.md", "source/gpt/teaching.md"} < names
    assert not any(name.endswith((".fr.md", ".zh.md")) for name in names)
    assert any(name.endswith("messages.po") for name in names) and any("source/recall" in name for name in names)
    sentence = "Whoever stands there lies, for there is no layer that was asked for."
    assert all(re.search(form, sentence) for form in HABITS.values())
