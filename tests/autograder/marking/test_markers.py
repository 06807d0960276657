"""Several markers: shares, answers handed on, notes; and the server of a marker, which names no student."""

import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine
from tornado.web import Application, ErrorHandler, RequestHandler

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.essays.feedback import state_of
from autograder.gradebook import ledger
from autograder.lesson.text import Lesson
from autograder.marking import serve, view
from autograder.marking.handlers import ApiHandler, PageHandler
from autograder.marking.markers import MARKER, Aliases, only_marking, shares
from autograder.marking.question import MarkedQuestion
from tests.autograder.marking.test_handlers_alone import asked
from tests.helpers.marked_class import waiting_class

LESSON = Lesson.load("attention", WORKBOOK)
NAME = "why_convolutions_fail"
STUDENTS = [f"student{number}" for number in range(40)]


@pytest.fixture
def question(tmp_path) -> MarkedQuestion:
    made = waiting_class(tmp_path / "course", LESSON, NAME, {"student1": "An answer.", "student2": "Another."})
    (made.course / "course.toml").write_text('markers = ["anna", "ben"]\n')
    (made.course / "students.csv").write_text("id,first_name\n" + "".join(f"{s},Secretia\n" for s in STUDENTS))
    return made


def test_shares_are_equal_other_in_each_question_and_stay_when_somebody_hands_in_late(question):
    course = question.course
    (course / "course.toml").write_text('markers = ["anna", "ben", "cy"]\n')
    alone = {student: student for student in STUDENTS}
    first, second = (shares(course, name, alone) for name in ("dl/attention/one", "dl/attention/two"))
    assert sorted(Counter(first.values()).values()) == [13, 13, 14] and first != second
    early = {student: student for student in STUDENTS[::3]}
    assert shares(course, "dl/attention/one", early) == {student: first[student] for student in early}
    copies = shares(course, "dl/attention/one", dict.fromkeys(STUDENTS, STUDENTS[7]))
    assert set(copies.values()) == {first[STUDENTS[7]]}
    (course / "course.toml").write_text("")
    assert shares(course, "dl/attention/one", alone) == {}


def test_an_answer_is_handed_on_and_no_student_reads_the_note(question):
    card = next(one for one in view.class_data(question)["answers"] if one["student"] == "student1")
    other = {"anna": "ben", "ben": "anna"}[card["share"]]
    question.hand_on("student1", other, "Is this Dutch?", "anna")
    card = next(one for one in view.class_data(question)["answers"] if one["student"] == "student1")
    assert card["marker"] == other != card["share"] and card["notes"] == ["Is this Dutch? (anna)"]
    before = state_of(question.course, LESSON.name, "student1")
    question.hand_on("student1", "", "", "ben")
    assert state_of(question.course, LESSON.name, "student1") == before
    card = next(one for one in view.class_data(question)["answers"] if one["student"] == "student1")
    assert card["marker"] == card["share"] and card["notes"] == ["Is this Dutch? (anna)"]
    with pytest.raises(ValueError, match="no marker 'eve'"):
        question.hand_on("student1", "eve", "", "anna")
    with pytest.raises(ValueError, match="no answer"):
        question.hand_on("../student1", "ben", "", "anna")


def test_a_markers_server_sends_no_name_and_takes_marks_in_her_name_alone(question):
    server = {MARKER: "anna", Aliases.__name__: Aliases()}

    def sent(what: str, body: object = None) -> SimpleNamespace:
        return asked(ApiHandler, question, LESSON.name, NAME, what, body=body, server=server)

    whole = sent("class").text
    assert "student1" not in whole and "Secretia" not in whole
    answer = json.loads(whole)["answers"][0]
    mark = {"student": answer["student"], "version": answer["version"], "items": [], "by": "ben"}
    card = sent("mark", mark).text
    assert "student" not in card.replace('"student"', "") and json.loads(card)["by"] == "anna"
    last = ledger.lines(question.course)[-1]
    assert (last["by"], last["what"]) == ("anna", ledger.MARKING)
    claims = json.loads(sent("claim", {"student": answer["student"], "window": "w"}).text)
    assert claims == {"yours": True, "claims": {answer["student"]: "w"}}
    noted = json.loads(sent("note", {"student": answer["student"], "to": "ben", "note": "?", "share": "anna"}).text)
    assert noted == {"marker": "ben", "share": "anna", "notes": ["? (anna)"]}
    assert sent("rubric", {"items": [], "revision": 0, "sure": True}).status == 403
    assert sent("mark", mark | {"student": "student1"}).status == 400  # an id that she has guessed
    page = asked(PageHandler, question, LESSON.name, server=server).text
    assert 'id="you"' not in page and 'id="edit" type="button" hidden' in page and 'hidden><input id="names"' in page


def test_a_markers_server_has_no_other_address():
    class Page(RequestHandler):
        pass

    app = Application([("/hub/.*", Page)], base_url="/hub/")
    only_marking(app)

    def handler(path: str) -> type[RequestHandler]:
        connection = SimpleNamespace(set_close_callback=lambda call: None)
        line = RequestStartLine("GET", path, "HTTP/1.1")
        found = app.find_handler(
            HTTPServerRequest(start_line=line, headers=HTTPHeaders({"Host": "hub"}), connection=connection)
        )
        return found.handler_class

    ours = ("/hub/essays", "/hub/essays/attention", "/hub/essays/api/attention/loss/class?second=1")
    assert {handler(path) for path in ours} == {Page}
    others = (
        "/hub/",
        "/hub/api/contents",
        "/hub/lab",
        "/hub/essaysx",
        "/hub/files/essays/a",
        "/hub/formgrader?x=/essays/",
    )
    assert {handler(path) for path in others} == {ErrorHandler}


def test_a_server_is_for_a_marker_of_the_course(tmp_path: Path):
    (tmp_path / "course.toml").write_text('markers = ["anna"]\n')
    with pytest.raises(GradingError, match="no marker 'ana'; its markers are: anna"):
        serve.serve(Course(tmp_path), "attention", browser=False, marker="ana")
