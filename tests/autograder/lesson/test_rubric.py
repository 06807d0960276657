"""The rubrics of the lessons' essays are read by a program, and stand in every language."""

import pytest

from autograder.common.course import WORKBOOK
from autograder.common.errors import LessonError
from autograder.lesson.rubric import figures_of, model_of, rubric_of
from autograder.lesson.text import Lesson, lessons_of
from autograder.lesson.translation import lesson_text
from tests.helpers.languages import TRANSLATED

ESSAYS = [(lesson, essay) for lesson in lessons_of(WORKBOOK) for essay in lesson.essays.values()]
LESSON = """\
# %% [markdown]
# # A lesson

# %% essay why 2 [markdown]
# Why?
#
# ### BEGIN SOLUTION
# Because.
#
# *Points.*
#
"""
END = "# ### END SOLUTION\n"


def essay(*lines: str):
    return Lesson.parse("made_up", LESSON + "".join(f"# {line}\n" for line in lines) + END, WORKBOOK).essays["why"]


@pytest.mark.parametrize(("lesson", "essay"), ESSAYS, ids=[essay.name for _, essay in ESSAYS])
def test_every_essay_has_items_in_every_language_that_add_up_to_its_points(lesson, essay):
    items = rubric_of(essay)
    assert sum(item.points for item in items) == essay.points and len(items) >= 2
    for language in TRANSLATED:
        for text in [one for item in items for one in (item.text, item.words)]:
            assert lesson_text(lesson, text, language) != text, (language, text)


def test_questions_about_the_students_own_figures_name_the_cells_that_show_them():
    found = {essay.name: figures_of(essay) for _, essay in ESSAYS if "*Figures.*" in essay.model_answer}
    assert all(found.values())
    known = {
        "reading_the_matrix": ["attention_matrix"],
        "why_convolutions_fail": ["predict_conv"],
        "two_layers_why": ["switch_off", "draw_back", "first_layer"],
        "own_numbers": ["time_letters", "judge_tales"],
        "crossing": ["draw_maps", "put_into_words"],
        "bottleneck": ["plain_by_length"],
    }
    assert known.items() <= found.items()
    for lesson, one in ESSAYS:
        assert set(figures_of(one)) <= lesson.shown_only
        assert "`. Compare" not in model_of(one)  # the names are for programs


def test_an_item_may_take_several_lines_and_take_points_away():
    first = ("- `first` 1.5: one *reason*,", "  or two. *Words:* one,", "  two.")
    items = rubric_of(essay(*first, "- `second` 0.5: more."))
    assert [(one.id, one.points, one.text, one.words) for one in items] == [
        ("first", 1.5, "one *reason*, or two.", "one, two"),
        ("second", 0.5, "more.", ""),
    ]
    assert rubric_of(essay("- `all` 2: all.", "- `wrong` -1: a false claim."))[1].points == -1


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (("- `first` 1: one.", "- `first` 1: two."), "have the same id"),
        (("- first 2: one.",), "cannot be read; write: - `id` POINTS"),
        (("Two points for a reason.",), "cannot be read"),
    ],
)
def test_a_rubric_that_cannot_be_used_is_refused_with_a_sentence(lines, says):
    with pytest.raises(LessonError, match=says):
        essay(*lines)


def test_a_question_without_points_has_no_items():
    text = (LESSON + END).replace("# *Points.*\n#\n", "")
    assert rubric_of(Lesson.parse("made_up", text, WORKBOOK).essays["why"]) == []
