"""What goes wrong because of a mistake: texts for the frequent ones, which explain and give nothing away."""

import re

import pytest

from autograder import mistakes
from autograder.common.course import CHECK, MISTAKES, WORKBOOK, Part
from autograder.examine.result import Graded
from autograder.exams import reference
from autograder.gradebook.steps import verdict_outputs
from autograder.lesson.text import Lesson
from utils.checks.engine.answer_key import StoredKey
from utils.checks.engine.outcome import WRONG, Verdict
from utils.common.errors import WorkbookError
from utils.common.messages import Message, translate

LESSONS = list(WORKBOOK.lessons)
# A sentence ends where a capital or a quotation follows, so that "1.5" and "e.g." end none.
SENTENCE_ENDS = re.compile(r"[.?!][”\")]*(?=\s+[A-Z“]|$)")


@pytest.mark.parametrize("name", LESSONS)
def test_each_lesson_explains_at_least_25_mistakes(name):
    assert len(mistakes.whys_of(Lesson.load(name, WORKBOOK))) >= 25


@pytest.mark.parametrize("name", LESSONS)
def test_a_text_has_two_to_four_sentences_and_no_line_of_the_solution(name):
    lesson = Lesson.load(name, WORKBOOK)
    solution = {line.strip() for cell in lesson.solutions.values() for line in cell.code.split("\n")}
    code = [line for line in solution if len(line) > 12 and re.search(r"[=(]", line)]
    for text in set(mistakes.whys_of(lesson).values()):
        assert 2 <= len(SENTENCE_ENDS.findall(text)) <= 4, text
        assert "(" not in text or "eval()" in text, text  # no call to copy
        assert not [line for line in code if line in text]
        assert translate(text, "fr") != text != translate(text, "zh")


@pytest.mark.parametrize("name", LESSONS)
def test_the_check_has_the_texts(name):
    lesson = Lesson.load(name, WORKBOOK)
    question = next(iter(reference.checks_of(lesson)))
    assert StoredKey.of(name, question).whys == mistakes.whys_of(lesson)


def test_a_text_of_an_unknown_mistake_is_refused(tmp_path):
    mistake = 'id = "one"\ncell = "x"\nold = "a"\nnew = "b"\nsays = "Wrong."'
    why = '[[why]]\nof = ["one"]\nsays = "It is so. Therefore."'
    for content, wrong in ((f"[[mistake]]\n{mistake}\n{why}\n{why}", "one"), (why, "one")):
        (tmp_path / MISTAKES).write_text(content, encoding="utf-8")
        lesson = Lesson("tiny", (), WORKBOOK, (Part(tmp_path, tmp_path, CHECK),))  # each lesson's catalogue is kept
        with pytest.raises(WorkbookError, match=f"correct {wrong}"):
            mistakes.whys_of(lesson)


@pytest.mark.parametrize(("language", "says"), [("en", "Why it matters:"), ("fr", "Pourquoi c'est important :")])
def test_feedback_says_why(language, says):
    lesson = Lesson.load("captioning", WORKBOOK)
    known = mistakes.load(lesson)["softmax_twice"]
    reason = Message("{mistake} ({detail})", {"mistake": Message(known.says), "detail": Message("")})
    verdicts = [Verdict(test, "", 0.5, WRONG, reason, known.id) for test in ("one", "two")]
    graded = Graded("test_multi_head_attention", "auto", 8, verdicts)
    words = verdict_outputs(graded, language, mistakes.whys_of(lesson))[0].text.split()
    assert " ".join(words).count(says) == 1
    why = translate(mistakes.whys_of(lesson)[known.id], language).split()
    assert " ".join(why) in " ".join(words)
