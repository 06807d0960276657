"""A lesson's questions change while work is in the gradebook: new ones arrive, dropped ones go, marks stay."""

import re
from pathlib import Path

import pytest
from nbgrader.api import Gradebook, MissingEntry

from autograder.common.course import WORKBOOK, Course
from autograder.common.paths import ROOT
from autograder.gradebook import converters
from autograder.lesson.text import Lesson

# nbgrader's own, when it adds a submission.
pytestmark = pytest.mark.filterwarnings("ignore:Object of type:sqlalchemy.exc.SAWarning")

NAME = "attention"
TEXT = (ROOT / "source" / NAME / "lesson.py").read_text(encoding="utf-8")
LESSON = Lesson.parse(NAME, TEXT, WORKBOOK)
KEPT, DROPPED = list(LESSON.essays)[:2]
NEW = """
# %% essay brand_new 7 [markdown]
# **A new question.**
#
# ### BEGIN SOLUTION
# An answer.
# ### END SOLUTION
"""


def changed(course: Path) -> Lesson:
    """A course's lesson with a question more, another one less, and a point less for the one that stays."""
    cells = re.split(r"(?m)^(?=# %%)", TEXT)
    kept = [cell for cell in cells if not cell.startswith(f"# %% essay {DROPPED} ")]
    points = LESSON.essays[KEPT].points
    edited = "".join(kept).replace(f"essay {KEPT} {points:g} ", f"essay {KEPT} {points - 1:g} ")
    return Lesson.parse(NAME, edited.rstrip() + "\n" + NEW, Course(course))


@pytest.fixture
def course(tmp_path) -> Path:
    """A course in which ada's answers are graded by hand, with full marks, and one of bob's, with half a point."""
    converters.prepare(Course(tmp_path), Lesson.load(NAME, Course(tmp_path)))
    with book(tmp_path) as gradebook:
        for student in ("ada", "bob"):
            gradebook.add_student(student)
            gradebook.add_submission(NAME, student)
            gradebook.find_grade(KEPT, NAME, NAME, student).needs_manual_grade = False
        gradebook.find_grade(KEPT, NAME, NAME, "bob").manual_score = 0.5
        for name in (KEPT, DROPPED):
            gradebook.find_grade(name, NAME, NAME, "ada").manual_score = LESSON.essays[name].points
            gradebook.find_comment(name, NAME, NAME, "ada").manual_comment = "Well said."
        gradebook.db.commit()
    return tmp_path


def book(course: Path, name: str = "gradebook.db") -> Gradebook:
    return Gradebook(f"sqlite:///{course / name}")


def test_questions_arrive_go_and_change_with_submissions_there(course):
    points = LESSON.essays[KEPT].points
    news = converters.prepare(Course(course), changed(course))
    assert news[0] == "New in the gradebook: brand_new."
    assert news[1].startswith(f"Removed from the gradebook, with the marks given for them: {DROPPED};")
    assert news[2] == f"Other points: {KEPT} {points:g} → {points - 1:g}."
    with book(course) as gradebook:
        for student in ("ada", "bob"):
            names = {grade.name for grade in gradebook.find_submission_notebook(NAME, NAME, student).grades}
            assert names == {cell.grade_id for cell in changed(course).of_role("test", "essay")}
            assert gradebook.find_comment("brand_new", NAME, NAME, student).comment is None
        grade = gradebook.find_grade(KEPT, NAME, NAME, "ada")
        assert grade.manual_score == points and grade.max_score == points - 1
        assert grade.needs_manual_grade  # more than there is to earn now
        assert not gradebook.find_grade(KEPT, NAME, NAME, "bob").needs_manual_grade
        assert gradebook.find_comment(KEPT, NAME, NAME, "ada").comment == "Well said."
        with pytest.raises(MissingEntry):
            gradebook.find_grade(DROPPED, NAME, NAME, "ada")
    assert converters.prepare(Course(course), changed(course)) == []


def test_what_was_given_for_a_dropped_question_is_kept_in_a_copy(course):
    converters.prepare(Course(course), changed(course))
    (copy,) = (course / ".grading").glob("gradebook-*.db")
    with book(copy.parent, copy.name) as gradebook:
        assert gradebook.find_grade(DROPPED, NAME, NAME, "ada").manual_score == LESSON.essays[DROPPED].points
    # Back to what it was: the question is there again, its marks are not.
    converters.prepare(Course(course), Lesson.load(NAME, Course(course)))
    with book(course) as gradebook:
        assert gradebook.find_grade(DROPPED, NAME, NAME, "ada").manual_score is None


def test_nothing_is_copied_where_nothing_goes(course):
    more = Lesson.parse(NAME, TEXT.rstrip() + "\n" + NEW, Course(course))
    assert converters.prepare(Course(course), more) == ["New in the gradebook: brand_new."]
    assert not list(course.glob(".grading/*.db"))
