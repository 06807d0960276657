"""A panel that names a mistake leads to the explorer's switch for it."""

import pytest

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.attention.explorer import WORDS
from utils.checks import check
from utils.common.errors import CheckFailed
from utils.common.messages import LANGUAGE_VARIABLE, translate


@pytest.mark.parametrize("language", ["en", "fr", "zh"])
def test_the_panel_of_a_mistake_with_a_switch_leads_to_it(language, capsys, monkeypatch):
    monkeypatch.setenv(LANGUAGE_VARIABLE, language)
    lesson = Lesson.load("attention", WORKBOOK)
    names = dict(reference.reference_names(lesson))
    reference.run_cell(mistakes.code_of(lesson, mistakes.load(lesson)["softmax_over_queries"]), "self_attention", names)
    with pytest.raises(CheckFailed):
        reference.checks_of(lesson)["self_attention"](names["SelfAttentionLayer"])
    shown = " ".join(capsys.readouterr().out.split())
    switch = translate(WORDS["mistake_softmax_over_queries"], language)
    told = translate(check.SEE, language).format(switch=switch)
    assert "".join(told.split()) in "".join(shown.split())


def test_a_mistake_without_a_switch_and_a_lesson_without_an_explorer_lead_nowhere():
    assert check.leading_to("attention", [None, "pair_reversed"], "en") == ""
    assert check.leading_to("another", ["softmax_missing"], "en") == ""
    assert "“no softmax”" in check.leading_to("attention", ["pair_reversed", "softmax_missing"], "en")
