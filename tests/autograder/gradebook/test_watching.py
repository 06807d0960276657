"""`workbook watch`: graded by nbgrader's own steps when it is handed in, given back at once; kills lose nothing."""

import contextlib
import fcntl
import os
import signal
import time
from concurrent.futures import Executor, Future
from datetime import datetime, timedelta, timezone

import pytest
from click.testing import CliRunner
from nbformat import NotebookNode
from nbgrader.utils import notebook_hash

from autograder.__main__ import main
from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.gradebook import best, books, converters, grade, ledger, release_feedback, state, watching
from autograder.intake import attempts
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson, write_notebook
from tests.helpers.courses import configure

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
LAST = list(ATTENTION.solutions)[-1]
HALF, RIGHT = compose(ATTENTION, {LAST: "pass"}), compose(ATTENTION)
POINTS = sum(cell.points for cell in ATTENTION.of_role("test"))
EXCHANGE = "exchange"
# nbgrader's own release_feedback leaves a file to be closed by Python.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <_io.FileIO:pytest.PytestUnraisableExceptionWarning"
)


@pytest.fixture(scope="module")
def course(tmp_path_factory, store) -> Course:
    """A course with an exchange, in which the best of three attempts counts, and one is graded as soon as it comes."""
    folder = tmp_path_factory.mktemp("watch") / "term"
    folder.mkdir()
    exchange = folder.parent / EXCHANGE
    (exchange / "dl" / "inbound").mkdir(parents=True)
    settings = [f"c.Exchange.root = {str(exchange)!r}", "c.CourseDirectory.course_id = 'dl'"]
    configure(folder, *settings, "c.ExchangeCollect.check_owner = False")
    (folder / "course.toml").write_text(f'[{LESSON}]\nkeep = "best"\nattempts = 3\n')
    return Course(folder)


def hand_in(course: Course, student: str, notebook: NotebookNode, number: int, minutes: float = 0) -> str:
    """Hand in as `nbgrader submit` does, dated back by so many minutes; return the name of the page of feedback."""
    said = f"{datetime.now(timezone.utc) - timedelta(minutes=minutes):%Y-%m-%d %H:%M:%S.%f} UTC"
    folder = course.folder.parent / EXCHANGE / "dl" / "inbound" / f"{student}+{LESSON}+{said}+{number}"
    folder.mkdir()
    secret = f"{student}{number}".encode().hex().zfill(64)
    (folder / f"{LESSON}.ipynb").write_text(write_notebook(notebook))
    (folder / "timestamp.txt").write_text(said)
    (folder / "submission_secret.txt").write_text(secret)
    return f"{notebook_hash(secret=secret, notebook_id=LESSON)}.html"


def page(course: Course, name: str) -> str:
    path = course.folder.parent / EXCHANGE / "dl" / "feedback" / name
    return path.read_text() if path.is_file() else ""


class ThisProcess(Executor):
    """A pool of workers that starts none: what it is given is done at once."""

    def submit(self, function, /, *args):
        done = Future()
        done.set_result(function(*args))
        return done


@contextlib.contextmanager
def watched(course: Course):
    """Yield a function that lets a watcher of this process work until nothing is left to do, and what it said."""
    said: list[str] = []
    watcher = watching.Watcher(course, [LESSON], 1, said.append)
    watcher.pool = ThisProcess()

    def work() -> list[str]:
        said.clear()
        while watcher.step() or watcher.running:
            time.sleep(0.02)
        return list(said)

    try:
        yield work
    finally:
        watcher.close()


def test_each_attempt_has_its_page_and_the_best_is_in_the_book(course):
    with watched(course) as work:
        assert work() == []
        first = hand_in(course, "ada", RIGHT, 1)
        (said,) = work()
        assert f"feedback on attempt 1 returned, attempt 1 counts, {POINTS:g} points" in said
        assert "Tests passed" in page(course, first)
        second, other = hand_in(course, "ada", HALF, 2), hand_in(course, "bob", HALF, 1)
        assert len(work()) == 2
        assert "Attempt 1 counts, because it gave more" in page(course, second) and "Attempt 2:" in page(course, second)
        assert "Tests passed" in page(course, other) and "Attempt" not in page(course, other)
        third, fourth = hand_in(course, "ada", HALF, 3), hand_in(course, "ada", RIGHT, 4)
        work()
        assert "Attempt 3:" in page(course, third) and "was reached before it" in page(course, fourth)
    found = books.standings(course, LESSON)
    assert found["ada"].total == POINTS and 0 < found["bob"].total < POINTS
    kept = attempts.Attempts(course, LESSON)
    assert kept.rows.placed["ada"][0] == 1 and sorted(kept.rows.answered) == [
        "ada 1",
        "ada 2",
        "ada 3",
        "ada 4",
        "bob 1",
    ]
    lines = [(line["what"], line["student"]) for line in ledger.lines(course)]
    assert lines == [(ledger.WATCH, "ada"), (ledger.WATCH, "bob")], "attempts that do not count leave no line"
    summary = grade.grade(LESSON, course=course)
    assert summary.unchanged == ["ada", "bob"] and summary.moved == {}


def test_no_page_of_an_attempt_shows_a_hidden_test(course):
    hidden = {line.strip() for test in ATTENTION.of_role("test") for line in test.hidden.split("\n")} - {""}
    pages = list((course.folder.parent / EXCHANGE / "dl" / "feedback").iterdir())
    assert len(pages) == 5 and hidden
    assert not [line for path in pages for line in hidden if line in path.read_text()]


def test_a_folder_without_its_secret_is_taken_when_it_is_complete(course):
    with watched(course) as work:
        name = hand_in(course, "cyd", HALF, 1)
        (folder,) = (course.folder.parent / EXCHANGE / "dl" / "inbound").glob("cyd+*")
        secret = (folder / "submission_secret.txt").read_text()
        (folder / "submission_secret.txt").unlink()
        assert work() == [] and not page(course, name)
        (folder / "submission_secret.txt").write_text(secret)
        assert "feedback on attempt 1 returned" in work()[-1] and page(course, name)


def test_a_time_from_before_the_watcher_saw_nothing_new_is_a_flag(course):
    with watched(course) as work:
        assert work() == []
        hand_in(course, "cyd", HALF, 2, minutes=30)
        said = work()
    assert "Flag: 'cyd': attempt 2 has the time" in said[0] and "feedback on attempt 2 returned" in said[1]


def test_what_an_instructor_wrote_into_submitted_is_kept(course):
    path = course / "submitted" / "cyd" / LESSON / f"{LESSON}.ipynb"
    path.write_text(write_notebook(RIGHT))
    with watched(course) as work:
        hand_in(course, "cyd", HALF, 3)
        work()
    assert path.read_text() == write_notebook(RIGHT) and books.standings(course, LESSON)["cyd"].total == POINTS


def test_a_watcher_starts_anew_after_an_update(course, monkeypatch):
    with watched(course) as work:
        hand_in(course, "dan", HALF, 1)
        monkeypatch.setattr(watching, "code_time", lambda _: 0)
        with pytest.raises(watching.Anew):
            work()
    assert "dan" not in books.standings(course, LESSON), "nothing is written by old code"


def test_grade_waits_for_a_watcher_and_a_watcher_for_grade_but_nobody_for_a_long_grading(course, monkeypatch):
    monkeypatch.setattr(state, "LONGEST_WAIT", 0.1)
    for brief, beside, waits in ((True, False, True), (False, True, True), (False, False, False)):
        before = time.monotonic()
        with (
            state.only_one(course, brief=brief),
            pytest.raises(GradingError, match="Another grading"),
            state.only_one(course, brief=beside),
        ):
            pass
        assert (time.monotonic() - before >= 0.1) == waits
    with (course / ".grading" / "queue").open("w") as queue:  # as a command that waits holds it
        fcntl.flock(queue, fcntl.LOCK_EX)
        with pytest.raises(GradingError, match="Another grading"), state.only_one(course, brief=True):
            pass
    with state.only_one(course, brief=True):
        assert state.holds(course)


def test_who_has_a_secret_of_another_gets_no_page_in_its_place(course):
    kept = attempts.Attempts(course, LESSON)
    ada, bob = kept.of("ada")[0], kept.of("bob")[0]
    assert not kept.shares_secret(ada)
    copied = attempts.Attempt(**vars(bob) | {"secret": ada.secret, "number": 9})
    kept.rows.attempts.append(copied)
    assert kept.shares_secret(copied) and not kept.shares_secret(ada), "a copy that does not count costs nobody a page"
    kept.rows.attempts.append(attempts.Attempt(**vars(bob) | {"secret": ada.secret}))
    assert kept.shares_secret(ada)
    assert release_feedback.SECRET == "submission_secret.txt"


MOMENTS = [(attempts.Attempts, "place"), (best, "choose"), (converters, "write"), (converters, "feedback")]
MOMENTS += [(watching.Watcher, "_give"), (watching.Watcher, "_note")]


def killed_at(course: Course, owner: object, name: str) -> None:
    """Let a watcher in a process of its own work until it calls this function, which kills it."""
    pid = os.fork()
    if pid == 0:
        setattr(owner, name, lambda *_args, **_options: os.kill(os.getpid(), signal.SIGKILL))
        with watched(course) as work:
            work()
        os._exit(1)
    assert os.waitpid(pid, 0)[1] == signal.SIGKILL


def test_a_watcher_that_is_killed_at_any_step_loses_nothing_and_counts_nothing_twice(course):
    names = {f"eve{number}": hand_in(course, f"eve{number}", HALF, 1) for number in range(len(MOMENTS))}
    for moment in MOMENTS:
        killed_at(course, *moment)
    with watched(course) as work:
        work()
    kept, found = attempts.Attempts(course, LESSON), books.standings(course, LESSON)
    assert all(page(course, name) for name in names.values())
    assert [len(kept.of(student)) for student in names] == [1] * len(names)
    assert sorted(kept.rows.answered) == sorted(attempt.key for attempt in kept.rows.attempts)
    assert {found[student].total for student in names} == {found["bob"].total}
    given = [line["student"] for line in ledger.lines(course) if line["student"] in names]
    assert sorted(given) == sorted(names), "one line for each"


def test_the_command_watches_until_ctrl_c_ends_it(course, monkeypatch):
    def run(watcher: watching.Watcher) -> None:
        assert [lesson.name for lesson in watcher.lessons] == [LESSON] and watcher.jobs == 2 and not watcher.step()
        raise KeyboardInterrupt

    monkeypatch.setattr(watching.Watcher, "run", run)
    done = CliRunner().invoke(main, ["watch", LESSON, "--jobs", "2", "--course", str(course)])
    assert done.exit_code == 130 and f"watching {course.folder.parent / EXCHANGE / 'dl'} for attention" in done.output
