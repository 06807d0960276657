"""What is heard of a lesson: texts and spoken lines, nothing of a picture; and the questions asked of readers."""

import pytest
from nbformat.v4 import new_output

from autograder.common.course import WORKBOOK
from autograder.lesson.text import Lesson
from tests.helpers.memories import explored_memories
from utils.common.figures import described
from utils.common.messages import Message

by_ear = pytest.importorskip("benchmarks.by_ear", reason="needs the extra `browser`")


@pytest.mark.parametrize("lesson", WORKBOOK.lessons)
def test_a_lesson_has_ten_questions_about_its_pictures(lesson):
    asked = by_ear.questions(lesson)
    cells = {cell.name for cell in Lesson.load(lesson, WORKBOOK).cells if cell.kind == "code"}
    assert len({one["asks"] for one in asked}) == 10 and all(one["answer"] for one in asked)
    assert {one["cell"] for one in asked} <= cells and len({one["cell"] for one in asked}) >= 5


@pytest.mark.made_up_texts
def test_of_an_output_its_words_are_heard(browser):
    picture = described(b"\x89PNG", Message("The error falls to 0.3."))._repr_mimebundle_()
    table = {"text/html": "<table><tr><th>width</th><td>5</td></tr></table>", "text/plain": "a table"}
    heard = [
        *by_ear.of_output(new_output("stream", text="1%|\r100%|\ndone\n"), browser),
        *by_ear.of_output(new_output("stream", name="stderr", text="noise"), browser),
        *by_ear.of_output(new_output("display_data", picture), browser),
        *by_ear.of_output(new_output("display_data", table), browser),
        *by_ear.of_output(new_output("display_data", {"text/plain": "plain"}), browser),
    ]
    assert heard[:2] == ["100%|\ndone", "Picture: The error falls to 0.3."] and heard[3] == "plain"
    assert 'rowheader "width"' in heard[2] or 'cell "5"' in heard[2]


def test_an_explorer_is_heard_with_its_guide_its_choices_and_its_switches(browser, pages):
    heard = list(by_ear.of_explorer(browser, pages("heard", explored_memories().page())))
    text = "\n".join(heard)
    assert "no longer true" in text and "One number" in text, "folds are open"
    assert "- These pairs are told from left to right." in text
    chosen = [line for line in heard if line.startswith("- 'radio")]
    switched = [line for line in heard if line.startswith("- delta only adds:")]
    assert len(chosen) == 3 and all("Where is" in line for line in [*chosen, *switched]) and len(switched) == 1
