"""A student may ask about a mark, without a server: the form or a line becomes a row that waits for a decision."""

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.gradebook import appeals
from autograder.gradebook.appeals import Appeal
from autograder.lesson.text import Lesson

ATTENTION = Lesson.load("attention", WORKBOOK)
FORM = "appeal=attention\r\nstudent=ada\r\nquestion=test_update\r\nreason=The formula\r\nis right.\r\n"
MAIL = b"From: ada@uni.edu\r\nSubject: attention\r\nContent-Type: text/plain; charset=utf-8\r\n" + (
    b"Content-Transfer-Encoding: quoted-printable\r\n\r\nappeal=3Dattention\r\nstudent=3Dada\r\n"
    b"question=3Dtest_update\r\nreason=3DDonn=C3=A9.\r\n"
)


@pytest.fixture
def course(tmp_path):
    for student in ("ada", "bob"):
        (tmp_path / "submitted" / student / "attention").mkdir(parents=True)
        (tmp_path / "submitted" / student / "attention" / "attention.ipynb").write_text("{}")
    (tmp_path / appeals.FOLDER).mkdir()
    return Course(tmp_path)


def put(course, name, content):
    (course / appeals.FOLDER / name).write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (FORM, [Appeal("attention", "ada", "update", "The formula is right.")]),
        (MAIL, [Appeal("attention", "ada", "update", "Donné.")]),
        (
            "Dear teacher,\nAPPEAL attention ada update: =1+1 is two\nBye",
            [Appeal("attention", "ada", "update", "1+1 is two")],
        ),
        ("I am not happy.", []),
    ],
)
def test_a_form_a_mail_and_a_line_are_appeals(content, found):
    assert list(appeals.appeals_in(content if isinstance(content, bytes) else content.encode())) == found


def test_appeals_wait_in_regrades_csv_until_somebody_decides(course):
    put(course, "1.txt", FORM)
    put(course, "2.txt", "APPEAL attention bob why_position: I wrote that.")
    put(course, "3.txt", "APPEAL attention eve update: x\nAPPEAL seq2seq ada update: other lesson")
    refused = appeals.take_up(course, ATTENTION)
    assert len(refused) == 1 and "3.txt: eve has handed in no attention with a question update" in refused[0]
    asked = {("ada", "update"): "The formula is right.", ("bob", "why_position"): "I wrote that."}
    assert appeals.open_appeals(course, "attention") == asked
    names = sorted(path.name for path in (course / appeals.FOLDER).iterdir())
    assert names == ["1.txt.taken", "2.txt.taken", "3.txt"]  # another lesson's appeal is still to be taken up
    appeals.take_up(course, ATTENTION)
    assert len((course / "regrades.csv").read_text().splitlines()) == 3
    appeals.settle(course, ("attention", "bob", "why_position"), 2.5)
    assert list(appeals.open_appeals(course, "attention")) == [("ada", "update")]
    assert "bob,attention,why_position,2.5,I wrote that.," in (course / "regrades.csv").read_text()


def test_a_table_that_a_teacher_has_begun_keeps_its_lines_and_its_separator(course):
    (course / "regrades.csv").write_text("id;lesson;question;points;reason\nada;seq2seq;x;1;yes\n")
    put(course, "a.txt", FORM)
    appeals.take_up(course, ATTENTION)
    lines = (course / "regrades.csv").read_text().splitlines()
    assert lines[1:] == ["ada;seq2seq;x;1;yes", "ada;attention;update;;The formula is right."]
