"""Every mark has a history: who changed it, with what, why; what the gradebook has lost is found and booked again."""

import json
import os
import shutil
from datetime import datetime

import pytest
from nbgrader.api import Gradebook

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.gradebook import books, copies, history, ledger, opening, restore
from autograder.lesson.text import Lesson
from autograder.marking.question import MarkedQuestion
from tests.helpers.courses import configure
from tests.helpers.marked_class import waiting_class

ATTENTION = Lesson.load("attention", WORKBOOK)
QUESTION = "why_convolutions_fail"
ANSWERS = {"ada": "Because the window is too small.", "bob": "A position far away is not seen.", "eve": "x"}


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    question = waiting_class(tmp_path_factory.mktemp("ledger") / "course", ATTENTION, QUESTION, ANSWERS)
    opening.set_due(question.url, "attention", datetime(2026, 11, 20, 12))
    ledger.witness(question.course, question.url)
    return question.course.folder


@pytest.fixture
def marked(template, tmp_path):
    folder = shutil.copytree(template, tmp_path / "course")
    configure(folder)
    return MarkedQuestion(Course(folder), f"sqlite:///{folder}/gradebook.db", ATTENTION, QUESTION)


def save(question, student, items, comment=""):
    version = question.cards()[1][student].version
    return question.save(student, version, items, 0, comment, "anna")


def elsewhere(question, student, score, comment=None):
    with Gradebook(question.url) as gradebook:
        grade = gradebook.find_grade(QUESTION, "attention", "attention", student)
        grade.manual_score, grade.needs_manual_grade = score, score is None
        gradebook.find_comment(QUESTION, "attention", "attention", student).manual_comment = comment
        gradebook.db.commit()


def items(question):
    return [item.id for item in question.cards()[0].items]


def score(question, student):
    return question.cards()[1][student].row.booked.score


def test_each_change_is_a_line_that_says_who_when_with_what_from_and_to(marked):
    first = items(marked)[0]
    save(marked, "ada", [first], "Well seen.")
    line = ledger.lines(marked.course)[-1]
    assert (line["by"], line["what"], line["student"]) == ("anna", ledger.MARKING, "ada")
    assert datetime.fromisoformat(line["at"]).tzinfo
    before, after = line["cells"][QUESTION]
    assert before == {"score": 0.0, "waits": True}
    assert after == {"score": score(marked, "ada"), "hand": score(marked, "ada"), "comment": "Well seen."}


def test_lines_are_appended_only_and_nothing_is_noted_twice(marked):
    save(marked, "ada", items(marked)[:1])
    before = (marked.course / copies.LEDGER).read_bytes()
    ledger.witness(marked.course, marked.url)
    assert (marked.course / copies.LEDGER).read_bytes() == before
    save(marked, "bob", items(marked))
    assert (marked.course / copies.LEDGER).read_bytes().startswith(before)


def test_a_change_by_formgrader_is_noted_by_the_next_command_and_is_not_blamed_on_a_marker(marked):
    save(marked, "ada", items(marked)[:1])
    elsewhere(marked, "ada", 0.25)
    save(marked, "bob", items(marked)[:1])
    told = history.history(marked.course, "ada")
    assert ledger.ELSEWHERE in told[-1] and "→ 0.25, by hand" in told[-1]
    assert all("anna" in sentence for sentence in history.history(marked.course, "bob")[2:])


def test_history_tells_a_mark_in_sentences(marked):
    (marked.course / "course.toml").write_text('timezone = "Europe/Paris"\n')
    save(marked, "ada", items(marked), "Well seen.")
    card = marked.cards()[1]["ada"]
    marked.undo("ada", card.version, "ben")
    _, first, given, taken = history.history(marked.course, "ada", "attention")
    assert first.endswith("attention 0.")
    assert (
        "Europe/Paris, anna, marking page: attention 0 → 3 (why_convolutions_fail 0 → 3, by hand, “Well seen.”)."
        in given
    )
    assert "ben, marking page: attention 3 → 0 (why_convolutions_fail 3 → 0, no longer by hand, waits" in taken
    assert taken.endswith("taken back")
    with pytest.raises(GradingError, match="no mark of a student 'zoe'"):
        history.history(marked.course, "zoe")


def test_what_an_older_gradebook_lacks_is_found_and_booked_again(marked):
    save(marked, "ada", items(marked)[:1], "first")
    copies.keep_copy(marked.course)
    save(marked, "ada", items(marked), "second")  # these two are not in the copy
    save(marked, "bob", items(marked)[:1])
    shutil.copy(copies.copies(marked.course)[0], marked.course / "gradebook.db")
    lost = restore.lacking(marked.course)
    assert {(cell.student, mark.comment) for cell, mark in lost.items()} == {("ada", "second"), ("bob", "")}
    assert restore.lacking(marked.course) == lost  # looking loses nothing
    restore.book(marked.course, lost)
    assert restore.lacking(marked.course) == {}
    assert (score(marked, "ada"), score(marked, "bob")) == (3.0, lost[ledger.Cell("attention", "bob", QUESTION)].hand)
    assert marked.cards()[1]["ada"].row.booked.comment == "second"
    assert "“second”" in history.history(marked.course, "ada")[-1]  # no mark differs from the last line


def test_a_mark_that_was_taken_back_does_not_come_back_with_an_older_gradebook(marked):
    save(marked, "ada", items(marked))
    copies.keep_copy(marked.course)
    marked.undo("ada", marked.cards()[1]["ada"].version, "anna")
    shutil.copy(copies.copies(marked.course)[0], marked.course / "gradebook.db")
    lost = restore.lacking(marked.course)
    assert [restore.said(*one) for one in lost.items()] == [f"ada, attention, {QUESTION}: taken back"]
    restore.book(marked.course, lost)
    assert score(marked, "ada") is None and marked.cards()[1]["ada"].row.booked.open
    assert restore.lacking(marked.course) == {}


def test_a_due_date_that_an_older_gradebook_never_had_is_found_and_booked_again(marked):
    with Gradebook(marked.url) as gradebook:  # as in a copy from before the date was set
        gradebook.find_assignment("attention").duedate = None
        gradebook.db.commit()
    due = ledger.Cell("attention", ledger.EVERYBODY, ledger.DUE)
    assert restore.lacking(marked.course).keys() == {due}
    restore.book(marked.course, restore.lacking(marked.course))
    with Gradebook(marked.url) as gradebook:
        assert gradebook.find_assignment("attention").duedate == datetime(2026, 11, 20, 12)
    assert restore.lacking(marked.course) == {}


def test_a_mark_that_was_taken_back_on_purpose_is_asked_about_once(marked):
    save(marked, "ada", items(marked))
    elsewhere(marked, "ada", None)
    lost = restore.lacking(marked.course)
    assert [restore.said(*one) for one in lost.items()] == [f"ada, attention, {QUESTION}: 3"]
    restore.drop(marked.course, lost)
    assert restore.lacking(marked.course) == {}
    assert history.history(marked.course, "ada")[-1].endswith("not entered again")


@pytest.mark.parametrize("content", [None, b"", b"SQLite format 3\0 and then nothing that can be read" * 100])
def test_a_lost_empty_or_damaged_gradebook_is_put_back_from_copy_and_ledger(marked, content):
    save(marked, "ada", items(marked))
    copies.keep_copy(marked.course)
    save(marked, "bob", items(marked), "after the copy")
    path = marked.course / "gradebook.db"
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    for read in (lambda: books.standings(marked.course, "attention"), marked.cards):
        with pytest.raises(GradingError, match="type: workbook restore"):
            read()
    assert "restored from" in " ".join(restore.restore(marked.course))
    restore.book(marked.course, restore.lacking(marked.course))
    assert score(marked, "ada") == score(marked, "bob") == 3.0
    assert marked.cards()[1]["bob"].own  # the items that were ticked count again


def test_a_course_without_ledger_and_copies_is_new(tmp_path):
    waiting_class(tmp_path, ATTENTION, QUESTION, {})
    (tmp_path / "gradebook.db").write_bytes(b"")
    assert books.standings(Course(tmp_path), "attention") == {}
    with pytest.raises(GradingError, match="neither a copy"):
        list(restore.restore(Course(tmp_path)))


def test_a_line_that_a_full_disk_has_cut_off_costs_no_other_line(marked):
    save(marked, "ada", items(marked)[:1])
    path = marked.course / copies.LEDGER
    path.write_bytes(path.read_bytes()[:-10])
    save(marked, "bob", items(marked)[:1])
    read = [json.loads(text) for text in path.read_text().splitlines() if text.endswith("}")]
    assert ledger.lines(marked.course) == read
    assert read[-1]["student"] == "bob" and read[-1]["what"] == ledger.MARKING


def test_the_last_copies_and_the_last_of_each_day_are_kept(marked):
    times = [1_800_000_000 + 8 * 3600 * number for number in range(20)]  # three a day
    for time in times:
        os.utime(marked.course / "gradebook.db", (time, time))
        assert copies.keep_copy(marked.course)
    kept = {int(path.stat().st_mtime) for path in copies.copies(marked.course)}
    last_of_days = {time // 86400: time for time in times}.values()
    assert kept == {*times[-copies.LATEST :], *last_of_days}
