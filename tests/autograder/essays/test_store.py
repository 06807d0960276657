"""The files of a question's marks: whole, one writer at a time, an answer with one grader at a time."""

import fcntl
import time

import pytest

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.essays import store as stores
from autograder.essays.marks import AnswerRecord, Booked, FormerState, Mark, SecondMark
from autograder.essays.rubric import Item, Rubric
from autograder.essays.store import EssayStore

MARK = Mark(["a"], 0.5, 2, "hash", "The answer.", "ada", "2026-11-24T03:00:00+00:00")


@pytest.fixture
def store(tmp_path) -> EssayStore:
    return EssayStore(Course(tmp_path), "attention", "why_position")


def test_nothing_is_kept_before_the_first_mark(store):
    assert store.rubric() is None and store.records() == {} and store.record("ada") == AnswerRecord()
    assert not (store.course / "marking").exists()


def test_what_is_written_is_read_again(store):
    before = FormerState(MARK, Booked(1.5, False, "Well seen"), True)
    entry = AnswerRecord(
        3, MARK, (before, FormerState(None, Booked(None, True, ""), True)), SecondMark([], "bob", "now")
    )
    store.write_record("ada", entry)
    store.write_record("李 明", AnswerRecord(1, MARK))
    assert store.records() == {"ada": entry, "李 明": AnswerRecord(1, MARK)}
    rubric = Rubric((Item("a", 1, {"en": "é"}, {}),), 2)
    store.write_rubric(rubric)
    assert store.rubric() == rubric


def test_a_damaged_file_is_named_in_a_sentence(store):
    store.write_record("ada", AnswerRecord(1, MARK))
    (store.folder / "answers" / "ada.json").write_text("{")
    with pytest.raises(GradingError, match=r"ada.json cannot be read .* put a copy of it back"):
        store.record("ada")


def test_an_answer_is_with_one_window_at_a_time(store):
    assert store.claim("ada", "here") and not store.claim("ada", "there")
    assert store.claim("bob", "there") and store.claims() == {"ada": "here", "bob": "there"}
    assert store.claim("eve", "here") and store.claims() == {"eve": "here", "bob": "there"}
    assert store.claim("ada", "there") and store.claim("", "here") and store.claims() == {"ada": "there"}


def test_who_leaves_without_a_word_loses_the_claim(store, monkeypatch):
    assert store.claim("ada", "here")
    later = time.time() + stores.CLAIM_SECONDS + 1
    monkeypatch.setattr(stores.time, "time", lambda: later)
    assert store.claims() == {} and store.claim("ada", "there")


def test_files_of_a_question_are_below_its_own_folder_and_other_files_are_no_answers(store):
    store.write_record("ada", AnswerRecord(1, MARK))
    assert (store.course / "marking/attention/why_position/answers/ada.json").is_file()
    (store.folder / "answers" / "ada.json.bak").write_text("{")
    assert list(store.records()) == ["ada"]


def test_a_claim_lasts_two_minutes_from_its_last_renewal(store, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(stores.time, "time", lambda: now[0])
    assert store.claim("ada", "here") and store.claim("bob", "there")
    now[0] += 119
    assert store.claim("bob", "there")
    now[0] += 1
    assert store.claims() == {"bob": "there"} and store.claim("ada", "elsewhere")
    now[0] += 119
    assert store.claims() == {"ada": "elsewhere"}


def test_a_claim_of_another_window_does_not_renew_it(store, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(stores.time, "time", lambda: now[0])
    store.claim("ada", "here")
    now[0] += 60
    store.claim("bob", "there")
    now[0] += 60
    assert store.claims() == {"bob": "there"}


def test_one_writer_at_a_time_has_the_questions_lock(store):
    with store.locked(), (store.folder / ".lock").open("w") as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with (store.folder / ".lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_folder_that_cannot_be_made_is_said_in_a_sentence(store):
    (store.course / "marking").write_text("A file where the folder belongs.")
    with pytest.raises(GradingError, match=r"The folder .*why_position cannot be written .*make room"), store.locked():
        pass


def test_a_file_that_cannot_be_read_is_named_in_a_sentence(store):
    (store.folder / "rubric.json").mkdir(parents=True)
    with pytest.raises(GradingError, match=r"rubric.json cannot be read"):
        store.rubric()
