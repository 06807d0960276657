"""Marking a question over nbgrader's gradebook: nothing is lost, nothing of another's is overwritten."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.common.course import WORKBOOK, Course
from autograder.common.course_file import LessonSettings
from autograder.common.errors import GradingError
from autograder.common.paths import ROOT
from autograder.essays.rubric import copy_for_course
from autograder.gradebook import books, converters, grade
from autograder.lesson.adapted import adapted
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from autograder.lesson.translation import translate_notebook
from autograder.marking import view
from autograder.marking.question import MarkedQuestion, Stale
from autograder.reports import report
from tests.helpers.courses import configure

LESSON = Lesson.load("attention", WORKBOOK)
NAME = "why_convolutions_fail"
ANSWERS = {
    "ada": ("en", "The field is 17, as each of four layers adds 4 points; the mean minimises the squared error."),
    "bob": ("en", "the field is 17 as each of 4 layers adds 4 points: the MEAN minimises the squared error"),
    "chen": ("zh", "感受野是17。"),
    "zoe": ("fr", "Le champ vaut 17 : $1 + 4 \\cdot 4$."),
}
EMPTY = "eve"


def essay(language: str, text: str):
    return translate_notebook(compose(LESSON, {NAME: text}, blank=True, language=language), language, LESSON)


@pytest.fixture(scope="module")
def graded(tmp_path_factory, store) -> Path:
    course = tmp_path_factory.mktemp("course")
    configure(course)
    for student, answer in ANSWERS.items():
        hand_in(essay(*answer), Course(course), student, LESSON.name)
    hand_in(compose(LESSON, blank=True), Course(course), EMPTY, LESSON.name)
    grade.grade(LESSON.name, course=Course(course))
    return course


@pytest.fixture
def course(graded, tmp_path) -> Path:
    folder = tmp_path / "course"
    shutil.copytree(graded, folder, symlinks=True)
    configure(folder)
    return folder


@pytest.fixture
def question(course) -> MarkedQuestion:
    return MarkedQuestion(Course(course), f"sqlite:///{course}/gradebook.db", LESSON, NAME)


def card(question: MarkedQuestion, student: str = "ada"):
    return question.cards()[1][student]


def save(question: MarkedQuestion, student: str, *items: str, comment: str = "", adjustment: float = 0):
    return question.save(student, card(question, student).version, list(items), adjustment, comment, "me")


def booked(question: MarkedQuestion, student: str = "ada") -> tuple[float | None, bool, str | None]:
    with Gradebook(question.url) as gradebook:
        place = (NAME, LESSON.name, LESSON.name, student)
        found = gradebook.find_grade(*place)
        return found.manual_score, found.needs_manual_grade, gradebook.find_comment(*place).manual_comment


def set_in_formgrader(question: MarkedQuestion, student: str, score: float | None) -> None:
    with Gradebook(question.url) as gradebook:
        found = gradebook.find_grade(NAME, LESSON.name, LESSON.name, student)
        found.manual_score, found.needs_manual_grade = score, score is None
        gradebook.db.commit()


def changed(question: MarkedQuestion, points: dict[str, float]) -> list[dict]:
    items = question.cards()[0].to_json()["items"]
    return [item | {"points": points.get(item["id"], item["points"])} for item in items]


def test_a_saved_mark_is_what_nbgrader_shows(question, course):
    _, after = save(question, "ada", "receptive_field", "mean", comment="Say why $4$.", adjustment=-0.5)
    assert booked(question) == (1.5, False, "Say why $4$.")
    assert after.row.booked.score == 1.5 and after.own and after.record.mark.by == "me"
    standing = books.standings(Course(course), LESSON.name)["ada"]
    assert standing.scores[NAME] == 1.5 and NAME not in standing.waiting
    assert books.standings(Course(course), LESSON.name)["bob"].waiting == {NAME}


def test_undo_gives_back_the_very_state_before(question):
    untouched = booked(question)
    save(question, "ada", "mean", comment="First")
    save(question, "ada", comment="Second")
    assert booked(question) == (0, False, "Second")
    question.undo("ada", card(question).version)
    assert booked(question) == (1, False, "First") and card(question).record.mark.items == ["mean"]
    question.undo("ada", card(question).version)
    assert booked(question) == untouched == (None, True, None)
    assert card(question).record.mark is None
    with pytest.raises(Stale, match="no former state"):
        question.undo("ada", card(question).version)


def test_undo_gives_back_a_mark_that_was_given_in_formgrader(question):
    set_in_formgrader(question, "ada", 2.25)
    save(question, "ada", "mean")
    question.undo("ada", card(question).version)
    assert booked(question)[:2] == (2.25, False)


def test_an_old_version_is_refused_whatever_has_changed(question):
    seen = card(question).version
    save(question, "ada", "mean")
    with pytest.raises(Stale):
        question.save("ada", seen, [], 0, "", "other")
    seen = card(question).version
    set_in_formgrader(question, "ada", 3)
    with pytest.raises(Stale):
        question.save("ada", seen, [], 0, "", "other")
    with pytest.raises(Stale):
        question.undo("ada", seen)
    with pytest.raises(Stale):
        question.save("nobody", seen, [], 0, "", "other")
    assert booked(question)[0] == 3


def test_new_points_hold_for_marks_already_given_and_for_no_others(question):
    save(question, "ada", "receptive_field", "mean")
    save(question, "bob", "receptive_field")
    save(question, "chen", "mean")
    set_in_formgrader(question, "chen", 2.5)
    items = changed(question, {"receptive_field": 0.5})
    told = question.change_rubric(items, 0, sure=False)
    assert told["moves"] == 2 and told["uses"] == {"receptive_field": 2, "mean": 2, "depth": 0}
    assert booked(question)[0] == 2  # nothing has changed yet
    question.change_rubric(items, 0, sure=True)
    assert [booked(question, one)[0] for one in ("ada", "bob", "chen")] == [1.5, 0.5, 2.5]
    assert booked(question, "zoe") == (None, True, None)
    with pytest.raises(Stale):
        question.change_rubric(items, 0, sure=True)
    question.undo("ada", card(question).version)
    assert booked(question)[:2] == (None, True)


def test_undo_after_new_points_gives_back_the_items_at_the_new_points(question):
    save(question, "ada", "mean")
    save(question, "ada", "mean", "depth")
    question.change_rubric(changed(question, {"mean": 0.5}), 0, sure=True)
    question.undo("ada", card(question).version)
    assert booked(question)[0] == 0.5


def test_the_rubric_is_the_courses_own_from_the_first_mark_on(question):
    assert question.store.rubric() is None
    save(question, "ada")
    assert question.store.rubric() == copy_for_course(LESSON, LESSON.essays[NAME], 3)


def test_a_mark_from_elsewhere_is_shown_and_stays(question):
    save(question, "ada", "mean")
    set_in_formgrader(question, "ada", 2)
    shown = view.card_data("ada", card(question), question.cards()[0])
    assert shown["elsewhere"] and shown["score"] == 2 and shown["by"] == ""
    set_in_formgrader(question, "ada", None)
    shown = view.card_data("ada", card(question), question.cards()[0])
    assert shown["open"]


def test_a_save_that_was_interrupted_before_the_gradebook_never_happened(question):
    save(question, "ada", "mean")
    before = card(question)
    lost = before.record.mark
    question.store.write_record("ada", before.record.marked(lost, before.row.booked, True))
    interrupted = before.record.marked(type(lost)(["mean", "depth"], 0, 0, *[""] * 4), before.row.booked, True)
    question.store.write_record("ada", interrupted)
    after = card(question)
    assert after.record.mark.items == ["mean"] and after.own and booked(question)[0] == 1
    assert question.store.record("ada").mark.items == ["mean"]


def test_a_changed_rubric_that_was_interrupted_is_completed(question):
    save(question, "ada", "mean")
    rubric, _ = question.cards()
    items = tuple(type(one)(**(vars(one) | {"points": 0.25})) for one in rubric.items)
    question.store.write_rubric(type(rubric)(items, 1, rubric.items))  # and killed before the gradebook
    assert card(question).own and booked(question)[0] == 0.25
    assert question.store.rubric().former is None


def test_a_locked_gradebook_costs_one_sentence_and_nothing_else(question, course):
    save(question, "ada", "mean")
    version, entry = card(question).version, question.store.record("ada")
    holder = sqlite3.connect(course / "gradebook.db")
    holder.execute("begin exclusive")
    with pytest.raises(GradingError, match=r"locked.*close other programs"):
        question.save("ada", version, ["depth"], 0, "", "me")
    holder.rollback()
    holder.close()
    assert question.store.record("ada") == entry and booked(question)[0] == 1
    question.save("ada", version, ["depth", "mean"], 0, "", "me")
    assert booked(question)[0] == 2


def test_regrading_keeps_marks_and_an_answer_that_changed_is_open_again_with_its_old_items(question, course):
    save(question, "ada", "mean", comment="Good")
    save(question, "bob", "depth")
    hand_in(essay("en", "A new answer: 17."), Course(course), "bob", LESSON.name)
    grade.grade(LESSON.name, course=Course(course), force=True)
    ada, bob = card(question), card(question, "bob")
    assert booked(question) == (1, False, "Good") and ada.own and not ada.changed
    shown = view.card_data("bob", bob, question.cards()[0])
    assert bob.changed and shown["open"] and shown["items"] == ["depth"] and shown["former"] == ANSWERS["bob"][1]


def test_the_page_has_all_answers_copies_together_and_empty_ones_last(question):
    told = view.class_data(question)
    order = [one["student"] for one in told["answers"]]
    assert sorted(order[:-1]) == ["ada", "bob", "chen", "zoe"] and order[-1] == EMPTY
    assert abs(order.index("ada") - order.index("bob")) == 1
    shown = {one["student"]: one for one in told["answers"]}
    assert shown["ada"]["group"] == shown["bob"]["group"] != shown["chen"]["group"]
    assert not shown[EMPTY]["asked"] and "<math" in shown["zoe"]["html"]
    assert [item["id"] for item in told["rubric"]["items"]] == ["receptive_field", "mean", "depth"]


def test_a_second_marking_hides_the_first_and_changes_no_mark(question):
    for student, item in {"ada": "mean", "bob": "mean", "chen": "depth"}.items():
        save(question, student, item)
    told = view.class_data(question, second=True)
    assert {one["student"] for one in told["answers"]} == {"ada", "bob", "chen"}
    assert all(one["items"] == [] and one["score"] is None and one["open"] for one in told["answers"])
    question.mark_again("ada", ["mean"], "other")
    question.mark_again("bob", [], "other")
    question.mark_again("chen", ["depth", "mean"], "other")
    found = view.class_data(question)["agreement"]
    assert found["answers"] == 3
    assert found["items"]["mean"] == {"agreed": 1, "only_first": 1, "only_second": 1, "kappa": -0.5}
    assert found["items"]["depth"] == {"agreed": 3, "only_first": 0, "only_second": 0, "kappa": 1.0}
    assert booked(question)[0] == 1


def test_feedback_is_owed_after_each_mark(question, course):
    assert converters.feedback(Course(course), LESSON.name)[1] == {}
    owed = course / ".grading" / "owed" / LESSON.name
    assert not owed.exists()
    save(question, "ada", "mean")
    assert owed.exists()
    assert converters.feedback(Course(course), LESSON.name)[0] == ["ada"]


def page_of(course: Path, student: str) -> str:
    path = course / "feedback" / student / LESSON.name / f"{LESSON.name}.html"
    return " ".join(path.read_text(encoding="utf-8").split())


def test_students_see_what_they_got_and_missed_in_their_language(question, course):
    save(question, "zoe", "receptive_field", comment="Bien vu : $17$.")
    save(question, "bob", "mean")
    set_in_formgrader(question, "bob", 2.5)
    converters.feedback(Course(course), LESSON.name)
    page = page_of(course, "zoe")
    got, missed = (page.index(f"<b>{word} (1)</b>") for word in ("obtenu", "manqué"))
    assert got < page.index("17, avec une raison") < missed < page.index("pourquoi le motif lu", got)
    assert page.index("pourquoi le motif lu", got) < page.rindex("Bien vu : <math") and "with a reason" not in page
    assert 'class="items"' not in page_of(course, "bob") and 'class="items"' not in page_of(course, "ada")


def test_feedback_is_renewed_when_items_change_and_points_do_not(question, course):
    save(question, "ada", "mean")
    converters.feedback(Course(course), LESSON.name)
    assert "✓</span> <b>got (1)</b> <p>why the shape" in page_of(course, "ada")
    save(question, "ada", "depth")
    assert converters.feedback(Course(course), LESSON.name)[0] == ["ada"]
    assert "✗</span> <b>missed (1)</b> <p>why the shape" in page_of(course, "ada")
    items = changed(question, {})
    items[2]["text"]["en"] = "Reworded $x$."
    question.change_rubric(items, 0, sure=True)
    assert converters.feedback(Course(course), LESSON.name)[0] == ["ada"]
    assert "Reworded <math" in page_of(course, "ada")


def test_a_courses_own_points_scale_the_rubric_that_it_gets():
    text = (ROOT / "source" / "attention" / "lesson.py").read_text(encoding="utf-8")
    lesson = Lesson.parse("attention", adapted("attention", text, LessonSettings(points={NAME: 6})), WORKBOOK)
    assert lesson.essays[NAME].points == 6
    assert [item.points for item in copy_for_course(lesson, lesson.essays[NAME], 6).items] == [2, 2, 2]


def test_the_report_names_near_copies(course):
    told = report.facts(Course(course), LESSON)
    assert told["near_copies"] == [[["ada", NAME], ["bob", NAME]]]
    page = next(path for path in report.write_report(Course(course), LESSON) if path.suffix == ".html").read_text()
    assert f"ada ({NAME}), bob ({NAME})" in page
