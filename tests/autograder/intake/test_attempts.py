"""Attempts: copied, numbered and kept; which of them count, by the course's rules and by what was seen."""

import contextlib
import logging
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from nbgrader.api import MissingEntry
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError
from traitlets.config import Config

from autograder.common.course import Course
from autograder.common.course_file import NAME
from autograder.common.errors import CourseError
from autograder.gradebook.collecting import Remarks, collect
from autograder.intake import attempts
from autograder.intake.exchange import Collect
from tests.autograder.gradebook.test_workbook_collect import CANVAS, put

LESSON = "attention"
NOTEBOOK = f"{LESSON}.ipynb"
START = datetime(2026, 11, 20, 12)


class NoGradebook(contextlib.nullcontext):
    """A gradebook without lessons: nbgrader looks up the due date in it, and would make one for a second each time."""

    def __init__(self, *_args: str):
        super().__init__(self)

    def find_assignment(self, name: str) -> None:
        raise MissingEntry(name)


class Term:
    """A course with an exchange, whose clock is set by the test."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch):
        self.course, self.exchange = Course(folder / "term"), folder / "exchange"
        (self.exchange / "dl" / "inbound").mkdir(parents=True)
        self.course.folder.mkdir()
        self.minutes = 0.0
        monkeypatch.setattr("nbgrader.exchange.default.collect.Gradebook", NoGradebook)
        monkeypatch.setattr(attempts, "now", lambda: START + timedelta(minutes=self.minutes))

    def rules(self, *lines: str) -> "Term":
        (self.course / NAME).write_text("\n".join([f"[{LESSON}]", *lines, ""]))
        return self

    def hand_in(self, text: str, minutes: float, student: str = "ada", secret: str = "") -> Path:
        """Hand in a notebook that says it was handed in so many minutes after the start."""
        said = f"{START + timedelta(minutes=minutes):%Y-%m-%d %H:%M:%S.%f} UTC"
        folder = self.exchange / "dl" / "inbound" / f"{student}+{LESSON}+{said}+x"
        folder.mkdir()
        (folder / NOTEBOOK).write_text(text)
        (folder / "timestamp.txt").write_text(said)
        (folder / "submission_secret.txt").write_text(secret or text.encode().hex().zfill(16))
        return folder

    def collect(self, minutes: float) -> list[str]:
        """Collect so many minutes after the start, as `nbgrader collect --update`; return the errors and warnings."""
        self.minutes = minutes
        config = Config({"Exchange": {"root": str(self.exchange)}, "ExchangeCollect": {"check_owner": False}})
        config.CourseDirectory = Config(
            {"root": str(self.course), "course_id": "dl", "assignment_id": LESSON, "db_url": ""}
        )
        parts = {"coursedir": CourseDirectory(config=config), "authenticator": Authenticator(config=config)}
        collector, remarks = Collect(config=config, **parts), Remarks()
        collector.update, collector.log = True, logging.Logger("collecting")
        collector.log.addHandler(remarks)
        with contextlib.suppress(ExchangeError):
            collector.start()
        return remarks.kept

    def kept(self) -> attempts.Attempts:
        return attempts.Attempts(self.course, LESSON)

    def submitted(self, student: str = "ada") -> str:
        return (self.course / "submitted" / student / LESSON / NOTEBOOK).read_text()

    def counted(self, student: str = "ada") -> list[str]:
        """Return the texts of the attempts that count."""
        return [self.kept().path(attempt).read_text() for attempt in self.kept().due(student)]


@pytest.fixture
def term(tmp_path, monkeypatch) -> Term:
    return Term(tmp_path, monkeypatch)


def test_all_hand_ins_are_kept_and_numbered_and_the_last_counts(term):
    term.rules('keep = "last"')
    for number in range(3):
        term.hand_in(f"try {number}", number)
    term.hand_in("bob's", 1, "bob")
    assert term.collect(60) == []
    kept = term.kept()
    assert [kept.path(one).read_text() for one in kept.of("ada")] == ["try 0", "try 1", "try 2"]
    assert [one.number for one in kept.of("ada")] == [1, 2, 3]
    assert (term.submitted(), term.submitted("bob")) == ("try 2", "bob's")
    term.hand_in("try 3", 70)
    assert term.collect(80) == [] and term.submitted() == "try 3" and len(term.kept().of("ada")) == 4


def test_what_a_student_changes_or_deletes_in_the_exchange_changes_no_attempt(term):
    term.rules("attempts = 2")
    folder = term.hand_in("first", 1)
    term.collect(2)
    (folder / NOTEBOOK).write_text("another")
    folder.rename(folder.with_name("gone"))
    for number in (3, 4, 5):
        term.hand_in(f"at {number}", number)
    term.collect(6)
    assert term.counted() == ["first", "at 3"] and term.submitted() == "at 3"
    last = term.kept().turns("ada")[-1]
    assert last.begins is None and "that count, 2, was" in last.why_not.render()


def test_during_the_pause_a_newer_attempt_replaces_one_that_waits(term):
    term.rules('pause = "10 min"')
    for minutes in (0, 3, 6):
        term.hand_in(f"at {minutes}", minutes)
    term.collect(7)
    assert term.counted() == ["at 0"] and term.submitted() == "at 0"
    waits, newest = term.kept().turns("ada")[1:]
    assert waits.begins is None and newest.begins == START + timedelta(minutes=10)
    term.collect(10)
    assert term.counted() == ["at 0", "at 6"] and term.submitted() == "at 6"


def test_a_time_from_before_the_look_that_did_not_find_the_folder_is_flagged(term):
    """It is believed from that look on; a large file, a clock that goes a little wrong, an open folder are no lie."""
    term.rules("attempts = 5")
    term.hand_in("in time", 0)
    unfinished = term.hand_in("was open", 1, "bob")
    (unfinished / "submission_secret.txt").unlink()
    term.collect(30)
    (unfinished / "submission_secret.txt").write_text("ab" * 32)
    term.hand_in("slow", 29)
    term.hand_in("backdated", 5)
    (flag,) = term.collect(60)
    assert flag == (
        "Flag: 'ada': attempt 2 has the time 2026-11-20 12:05, but was not in the exchange at 2026-11-20 12:30 "
        "(UTC): it was backdated, or completed later."
    )
    kept = term.kept()
    dated_back = kept.of("ada")[1]
    assert dated_back.at == (START + timedelta(minutes=30)).isoformat()
    assert [one.number for one in kept.rows.attempts if one.flag] == [2] and len(kept.of("bob")) == 1
    term.hand_in("from the future", 10_000)
    term.collect(90)
    assert term.kept().of("ada")[-1].at == (START + timedelta(minutes=90)).isoformat()


def test_a_flag_is_reported_while_that_attempt_counts(term):
    term.rules("attempts = 5")
    term.collect(30)
    term.hand_in("backdated", 5)
    term.collect(60)
    assert len(attempts.flags(term.course, LESSON, "ada")) == 1
    term.hand_in("honest", 61)
    term.collect(62)
    assert attempts.flags(term.course, LESSON, "ada") == []


def test_what_an_instructor_put_into_submitted_counts_beside_the_rules_until_the_student_hands_in(term):
    term.rules("attempts = 1", 'pause = "1 h"')
    term.hand_in("first", 0)
    term.collect(1)
    path = term.course / "submitted" / "ada" / LESSON / NOTEBOOK
    path.write_text("mended")
    assert term.collect(2) == [] and term.submitted() == "mended" and term.counted() == ["first", "mended"]
    (path.with_name("timestamp.txt")).write_text("2026-11-19 12:00:00 UTC")
    term.collect(3)
    assert term.submitted() == "mended" and len(term.kept().of("ada")) == 3


def test_a_class_that_was_collected_before_there_were_rules_loses_nothing_and_counts_nothing_twice(term):
    term.hand_in("first", 0)
    term.hand_in("second", 1)
    term.collect(2)
    assert term.submitted() == "second" and not (term.course / "attempts").exists()
    term.rules("attempts = 3")
    term.collect(3)
    assert term.counted() == ["first", "second"] and term.submitted() == "second"


def test_more_than_thirty_folders_an_hour_are_left_where_they_are(term):
    term.rules("attempts = 1000")
    for number in range(33):
        term.hand_in(f"{number}", number / 10)
    term.collect(5)
    assert len(term.kept().of("ada")) == 30 and term.submitted() == "32"
    term.collect(70)
    assert len(term.kept().of("ada")) == 33 and term.submitted() == "32"
    assert not any(one.flag for one in term.kept().rows.attempts)


def test_a_copy_that_was_broken_off_is_made_again(term, monkeypatch):
    """A kill before the row is written, after the copy: the folder is there, the attempt is not."""
    term.rules("attempts = 3")
    term.hand_in("first", 0)
    folder = term.course / "attempts" / LESSON / "ada" / "001"
    folder.mkdir(parents=True)
    (folder / NOTEBOOK).write_text("half")
    term.collect(1)
    assert term.counted() == ["first"] and term.submitted() == "first"


def test_archives_are_attempts_as_well(tmp_path):
    from autograder.course import new

    new.make(tmp_path / "term", "dl", "en")
    course = Course(tmp_path / "term")
    (course / "students.csv").write_text("id,first_name,last_name,lms_user_id\ngrace,Grace,Hopper,77\n")
    (course / NAME).write_text(f"[{LESSON}]\nattempts = 2\n")
    for text in ("one", "two", "two", "three"):
        put(course.folder, CANVAS, text)
        done = collect(course, LESSON)
    kept = attempts.Attempts(course, LESSON)
    assert [kept.path(one).read_text() for one in kept.of("grace")] == ["one", "two", "three"]
    assert {one.way for one in kept.rows.attempts} == {attempts.ARCHIVE} and done.newer == ["grace"]
    assert (course / "submitted" / "grace" / LESSON / NOTEBOOK).read_text() == "two"


@pytest.mark.parametrize("line", ['keep = "first"', "attempts = 0", 'pause = "a while"', "pause = 2"])
def test_a_rule_that_cannot_be_read_is_one_sentence(term, line):
    with pytest.raises(CourseError, match=line.partition(" ")[0]):
        term.rules(line).course.settings.attempt_rules(LESSON)


def test_a_lessons_rules_come_before_the_terms(term):
    (term.course / NAME).write_text(
        f'[term]\nkeep = "best"\nattempts = 10\npause = "2 min"\n[{LESSON}]\nkeep = "last"\n'
    )
    rules = term.course.settings.attempt_rules
    assert (rules(LESSON).keep, rules("gpt").keep) == ("last", "best")
    assert (rules(LESSON).most, rules(LESSON).pause) == (10, 120)
