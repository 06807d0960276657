"""`workbook send`: at least once and harmless twice, one column, and nothing of a teacher's is replaced."""

import json
import os
import signal
import stat
import threading

import pytest
from click.testing import CliRunner

from autograder.__main__ import main
from autograder.common.course import WORKBOOK
from autograder.common.errors import PlatformError
from autograder.gradebook import roll
from autograder.gradebook.roll import Roll
from autograder.gradebook.summary import no_progress
from autograder.lesson.text import Lesson
from autograder.lti import marks, outbox, service
from autograder.lti.marks import BY_HAND, LACKING, REFUSED, SAME, SENT, UNMATCHED
from autograder.lti.outbox import Mark, Outbox, unsent
from autograder.lti.settings import keep_place
from autograder.reports import status, terminal
from tests.helpers.courses import configure
from tests.helpers.learning_platform import Platform
from tests.helpers.platform_class import LESSON, roll_of, send, take_roster

POINTS = {f"s{n}": 5.0 * n for n in range(6)}


@pytest.fixture
def there(platform) -> Platform:
    return platform(6)


@pytest.fixture
def course(there, tmp_path):
    course = there.connect(tmp_path)
    take_roster(course)
    return course


def test_two_senders_at_once_make_one_column(there, course, monkeypatch):
    there.meeting = threading.Barrier(2)  # without a lock, both have looked before one makes a column
    graded, lesson, results = roll_of(course, POINTS), Lesson.load(LESSON, WORKBOOK), []
    monkeypatch.setattr(marks, "graded_roll", lambda course, name: graded)

    def run() -> None:
        results.append(marks.send(course, lesson, no_progress))

    both = [threading.Thread(target=run) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join(60)
    assert len(there.columns) == 1 and len(there.book) == 6
    assert sorted(len(one[SENT]) for one in results) == [0, 6]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_mark_is_there_once_when_the_sender_is_killed_before_or_after_it_arrives(there, course, moment):
    """A process of its own is killed at its third mark: when the journal has the mark, or when the platform has it."""
    child = os.fork()
    if not child:
        request, sent = service.Service.request, []

        def killed(self, method, url, *asked, **named):
            sent.extend([url] * url.endswith("/scores"))
            if len(sent) == 3 and moment == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            answer = request(self, method, url, *asked, **named)
            if len(sent) == 3:
                os.kill(os.getpid(), signal.SIGKILL)
            return answer

        service.Service.request = killed
        send(course, POINTS)
        os._exit(0)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
    assert len(there.book) == (2 if moment == "before" else 3)
    with Outbox(course, LESSON).path.open("a") as file:
        file.write('{"mark": {"num')  # half a line
    done = send(course, POINTS | {"s2": 39.0})  # and its mark has changed since
    assert (done[SAME], done[BY_HAND], done[REFUSED]) == (["s0", "s1"], [], [])
    assert len(there.columns) == 1 and there.book == {
        f"u-{n}": ({**POINTS, "s2": 39.0})[f"s{n}"] / 40 for n in range(6)
    }
    assert send(course, POINTS | {"s2": 39.0})[SENT] == []


def test_a_mark_by_a_teacher_is_left_even_before_ours_and_replaced_when_that_is_said(there, course):
    send(course, {"s1": 10.0})
    path = there.columns[0]["path"]
    there.marks[path, "u-0"] = {"scoreGiven": 7, "scoreMaximum": 10, "timestamp": "2026-01-01T00:00:00Z"}
    done = send(course, POINTS)
    assert done[BY_HAND] == ["s0 (70.0% there, 0.0% here)"] and there.marks[path, "u-0"]["scoreGiven"] == 7
    assert send(course, POINTS, replace=True)[SENT] == ["s0"]
    assert there.marks[path, "u-0"]["scoreGiven"] == 0.0


def test_a_mark_that_is_not_in_the_platforms_book_is_named_and_sent_again(there, course, monkeypatch):
    monkeypatch.setattr(there, "marks", Forgetful())
    done = send(course, {"s0": 40.0, "s1": 40.0})
    assert done[SENT] == ["s0", "s1"] and done[LACKING] == ["s1"]
    assert send(course, {"s0": 40.0, "s1": 40.0})[SENT] == ["s1"]


class Forgetful(dict):
    """Loses the marks of one student."""

    def __setitem__(self, key, value):
        if key[1] != "u-1":
            super().__setitem__(key, value)


def test_only_final_marks_of_known_students_are_sent_in_the_courses_scale(there, course, tmp_path):
    (tmp_path / "course.toml").write_text(f'[{LESSON}]\nout_of = 20\ntitle = "Homework 1"\n')
    with (tmp_path / "students.csv").open("a") as file:
        file.write("byhand\n")
    done = send(course, {"s0": 30.0, "s1": 40.0, "byhand": 1.0}, waiting="s1")
    assert (done[SENT], done[UNMATCHED]) == (["s0"], ["byhand"])
    (score,) = there.marks.values()
    assert (score["scoreGiven"], score["scoreMaximum"], score["gradingProgress"]) == (15.0, 20, "FullyGraded")
    assert there.columns[0]["label"] == "Homework 1" and there.columns[0]["scoreMaximum"] == 20


def test_a_number_of_the_platform_in_two_lines_sends_nothing(there, course, tmp_path):
    text = (tmp_path / "students.csv").read_text()
    (tmp_path / "students.csv").write_text(text.replace("u-1", "u-0"))
    with pytest.raises(PlatformError, match="s0 and s1 have the same lti_user_id"):
        send(course, POINTS)
    assert there.book == {}


def test_without_leave_to_make_columns_each_lesson_needs_a_link(there, course):
    bare = there.place()._replace(scopes=["https://purl.imsglobal.org/spec/lti-ags/scope/score"])
    keep_place(course, "", bare)
    with pytest.raises(PlatformError, match=f"workbook connect {LESSON}"):
        send(course, POINTS)
    there.columns.append({"path": "/c/columns/1", "label": "the link's", "scoreMaximum": 10})
    own = bare._replace(lineitem=there.address("/c/columns/1"))
    keep_place(course, LESSON, own)
    assert len(send(course, POINTS)[SENT]) == 6 and len(there.columns) == 1


def test_on_open_edx_each_lesson_needs_a_link_because_marks_elsewhere_would_be_lost(there, course):
    edx = there.place()._replace(lineitems=f"{there.url}/api/lti_consumer/v1/lti/1/lti-ags")
    keep_place(course, "", edx)
    with pytest.raises(PlatformError, match=f"requires a link for each lesson.* type: workbook connect {LESSON}"):
        send(course, POINTS)
    assert there.columns == []


def test_a_links_own_column_that_the_platform_made_is_used(there, tmp_path):
    course = there.connect(tmp_path, LESSON)
    take_roster(course)
    there.columns.append({"path": "/c/columns/1", "label": "Homework", "scoreMaximum": 10, "resourceLinkId": "link-1"})
    keep_place(course, LESSON, there.place()._replace(lineitem=there.address("/c/columns/1")))
    assert len(send(course, POINTS)[SENT]) == 6
    assert len(there.columns) == 1


def test_two_columns_are_for_a_person_to_decide(there, course):
    for number in (1, 2):
        column = {"resourceId": f"attention-workbook/{LESSON}", "tag": "attention-workbook", "scoreMaximum": 1}
        there.columns.append({**column, "path": f"/c/columns/{number}", "label": f"column {number}"})
    with pytest.raises(
        PlatformError, match="several columns for this lesson; delete all but one there: column 1, column 2"
    ):
        send(course, POINTS)


def test_a_course_that_is_not_connected_is_one_sentence(there, course):
    (course / ".lti" / "places.json").unlink()
    with pytest.raises(PlatformError, match="not connected with a platform; type: workbook connect"):
        send(course, POINTS)


def test_the_journal_is_private_and_holds_no_key_or_token(there, course):
    send(course, POINTS)
    path = Outbox(course, LESSON).path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    text = path.read_text()
    assert "token" not in text and "PRIVATE" not in text and len([*filter(None, text.splitlines())]) == 12
    assert set(json.loads(text.splitlines()[1])) == {"number", "given", "most", "comment", "time", "taken"}


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ((429, "slow down", {"Retry-After": "3600"}), "does not answer (429: slow down); type the command again later"),
        ((503, "down", {}), "does not answer (503: down); type the command again later"),
        ((200, "<html>sign in</html>", {}), "did not return /c/columns (200: <html>sign in</html>)"),
        ((302, "", {"Location": "http://127.0.0.1:9/"}), "did not return /c/columns (302: )"),
    ],
)
def test_a_platform_in_trouble_is_one_sentence_and_the_token_follows_no_redirect(
    there, course, monkeypatch, trouble, said
):
    work = there.do
    monkeypatch.setattr(
        there, "do", lambda method, path, *more: trouble if path == "/c/columns" else work(method, path, *more)
    )
    with pytest.raises(PlatformError) as caught:
        send(course, POINTS)
    assert said in str(caught.value)


def test_pauses_grow_and_a_wished_one_is_kept(there, course, pauses, monkeypatch):
    work, seen = there.do, []

    def limited(method, path, *more):
        seen.append(path)
        return (
            (429, "", {"Retry-After": "17"})
            if seen.count("/c/columns") <= 2 and path == "/c/columns"
            else work(method, path, *more)
        )

    monkeypatch.setattr(there, "do", limited)
    assert len(send(course, POINTS)[SENT]) == 6
    assert pauses[:2] == [17.0, 17.0]


def test_status_counts_what_is_to_be_sent(there, course, monkeypatch, capsys):
    graded = roll_of(course, POINTS, waiting="s5")
    assert unsent(course, LESSON, graded) == 5
    send(course, {"s0": 0.0, "s1": 5.0})
    assert unsent(course, LESSON, graded) == 3
    assert unsent(course, LESSON, roll_of(course, POINTS | {"s1": 6.0}, waiting="s5")) == 4
    numbers = dict.fromkeys(status.Status.__dataclass_fields__, 0)
    monkeypatch.setattr(terminal, "workbook_version", lambda: "")
    for count, lines in ((3, 1), (None, 0)):
        terminal.print_status([status.Status(**numbers | {"lesson": LESSON, "unsent": count})])
        assert capsys.readouterr().out.count("to send") == lines
    (course / ".lti" / "places.json").unlink()
    assert unsent(course, LESSON, graded) is None


def test_the_command_sends_the_lessons_that_have_marks_and_fails_for_a_refused_one(
    there, course, monkeypatch, tmp_path
):
    configure(tmp_path)
    (tmp_path / "course.toml").write_text('lessons = ["attention", "gpt"]\n')
    rolls = {LESSON: roll_of(course, POINTS), "gpt": Roll({}, [])}
    for place, name in ((roll, "roll_of"), (marks, "graded_roll")):
        monkeypatch.setattr(place, name, lambda course, lesson: rolls[lesson])
    done = CliRunner().invoke(main, ["send", "--course", str(tmp_path)])
    assert (
        done.exit_code == 0
        and "attention: 6 sent, 0 already on the platform.\n" in done.output
        and "gpt" not in done.output
    )
    there.members.pop()
    rolls[LESSON] = roll_of(course, POINTS | {"s5": 1.0})
    done = CliRunner().invoke(main, ["send", LESSON, "--course", str(tmp_path)])
    assert done.exit_code == 1 and "attention: 0 sent, 5 already on the platform.\n" in done.output
    assert "Refused: s5 (404: ?)" in done.output


def test_a_mark_is_worth_what_the_platform_shows_when_it_rounds():
    assert Mark("1", 1 / 3, 1.0).is_worth(0.3333) and not Mark("1", 20.0, 40.0).is_worth(0.49)
    assert not Mark("1", 0.0, 40.0).is_worth(None)
    assert outbox.SAME < 0.0025, "a tenth of a point of 40 is a teacher's change"
