"""`nbgrader collect` from an exchange in which students wrote by hand: it takes files, and nothing else."""

import errno
import logging
import os
import pwd
import subprocess
from pathlib import Path

import pytest
from nbgrader.coursedir import CourseDirectory

from autograder.intake import exchange
from autograder.intake.copying import BLOCK, copy_files
from autograder.intake.exchange import Collect
from tests.helpers.courses import configure
from tests.helpers.typed import nbgrader

LESSON = "attention"
NOTEBOOK = f"{LESSON}.ipynb"
SECRET = "submission_secret.txt"
EARLY, LATE = "2026-11-20 13:45:10.123456 UTC", "2026-11-21 13:45:10.123456 UTC"


class Course:
    def __init__(self, folder: Path):
        self.root, self.inbound = folder / "course", folder / "exchange" / LESSON / "inbound"
        self.root.mkdir()
        self.inbound.mkdir(parents=True)
        (folder / "exchange").chmod(0o777)
        limits = ["c.CourseDirectory.max_file_size = 1000", "c.CourseDirectory.max_dir_size = 1500"]
        limits += ["c.ExchangeCollect.check_owner = False"]
        configure(self.root, *limits, f"c.Exchange.root = {str(folder / 'exchange')!r}")

    def folder(self, student: str, time: str = EARLY) -> Path:
        folder = self.inbound / f"{student}+{LESSON}+{time}+x"
        folder.mkdir()
        (folder / "timestamp.txt").write_text(time)
        (folder / SECRET).write_text("0" * 128)
        return folder

    def hand_in(self, student: str, text: str = "", time: str = EARLY) -> Path:
        path = self.folder(student, time) / NOTEBOOK
        path.write_text(text or student)
        return path

    def collect(self, *options: str) -> subprocess.CompletedProcess:
        return nbgrader(self.root, "collect", LESSON, *options)

    def taken(self) -> dict[str, str]:
        """What lies in submitted/: notebooks' texts by student; all files are ordinary, and none is another."""
        files = [path for path in (self.root / "submitted").rglob("*") if path.is_symlink() or not path.is_dir()]
        assert not any(path.is_symlink() for path in files)
        assert {path.name for path in files} <= {NOTEBOOK, "timestamp.txt", SECRET}
        return {path.parts[-3]: path.read_text() for path in files if path.name == NOTEBOOK}


@pytest.fixture
def course(tmp_path) -> Course:
    return Course(tmp_path)


def test_links_and_odd_folders_are_left_out_and_all_others_taken(course):
    ada = course.hand_in("ada")
    (course.root / "gradebook").write_text("all marks")
    (course.folder("links_file") / NOTEBOOK).symlink_to(ada)
    (course.folder("links_gradebook") / "marks.txt").symlink_to(course.root / "gradebook")
    (course.folder("links_folder") / "sub").symlink_to(course.root)
    (course.inbound / f"is_link+{LESSON}+{LATE}+x").symlink_to(ada.parent)
    os.mkfifo(course.folder("pipe") / NOTEBOOK)
    course.hand_in("no_time", time="soon")
    course.hand_in("..")  # nbgrader looks past names that begin with a dot
    course.hand_in("")
    course.hand_in("new\nline")
    (course.inbound / f"a_file+{LESSON}+{EARLY}+x").write_text("x")
    for number in (1, 2):
        (course.hand_in(f"large_{number}").parent / "data").write_bytes(b"x" * 900_000 * number)
    (course.inbound / f"large_1+{LESSON}+{EARLY}+x" / "more").write_bytes(b"x" * 900_000)
    course.hand_in("twice", "first")
    (course.inbound / f"twice+{LESSON}+{LATE}+x").symlink_to(ada.parent)
    done = course.collect()
    assert course.taken() == {"ada": "ada", "large_2": "large_2", "twice": "first"}
    assert not (course.root / LESSON).exists()
    assert done.returncode == 1 and "Not collected, see above: 6;" in done.stderr
    assert "Traceback" not in done.stderr
    for says in ("its name has no time", "it is not a folder", "its name is not a student's", "it is too large"):
        assert says in done.stderr
    assert done.stderr.count("a link or a device") == 4


def test_a_good_class_is_collected_and_updated(course):
    """Also where the time of what was collected before cannot be read any more."""
    for student in ("ada", "bob", "cyd"):
        course.hand_in(student, "first")
    assert course.collect().returncode == 0
    times = {student: course.root / "submitted" / student / LESSON / "timestamp.txt" for student in ("ada", "bob")}
    times["ada"].write_text("soon")
    for student in times:
        course.hand_in(student, "second", LATE)
    assert course.collect("--update").returncode == 0
    assert course.taken() == {"ada": "second", "bob": "second", "cyd": "first"}
    assert {path.read_text() for path in times.values()} == {LATE}


def test_a_file_exchanged_for_a_link_meanwhile_is_not_followed(tmp_path):
    """The check and the copy are one opening: what was a file when names were read may be a link by then."""
    (tmp_path / "secret").write_text("secret")
    source = tmp_path / "source"
    source.mkdir()
    (source / NOTEBOOK).write_text("honest")

    def skip(place: str, names: list[str]) -> list[str]:
        (source / NOTEBOOK).unlink()
        (source / NOTEBOOK).symlink_to(tmp_path / "secret")
        return []

    assert copy_files(source, tmp_path / "target", skip, 1000) == [NOTEBOOK]
    assert list((tmp_path / "target").iterdir()) == []


# ---- one folder's copy --------------------------------------------------------------------------------------


def collect_one(source: Path, target: Path, **settings) -> Collect:
    """Copy one submission as `nbgrader collect` does."""
    collector = Collect(coursedir=CourseDirectory(**settings))
    collector.refused = 0
    collector.do_copy(str(source), str(target))
    return collector


@pytest.fixture
def folder(tmp_path) -> Path:
    """A submission with a folder in it, that nobody but its owner may read."""
    folder = tmp_path / "source"
    (folder / "data").mkdir(parents=True)
    for path in (folder / NOTEBOOK, folder / "data" / "numbers.txt"):
        path.write_text("text")
        path.chmod(0o600)
    for path in (folder / "data", folder):
        path.chmod(0o700)
    return folder


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_a_group_of_instructors_may_read_and_write_what_one_of_them_collected(folder, tmp_path, umask):
    before = os.umask(umask)
    try:
        for name, groupshared in (("shared", True), ("own", False)):
            assert collect_one(folder, tmp_path / name, groupshared=groupshared).refused == 0
    finally:
        os.umask(before)
    for place in ("", "data", NOTEBOOK, "data/numbers.txt"):
        shared, own = (tmp_path / name / place for name in ("shared", "own"))
        wanted = 0o2770 if shared.is_dir() else 0o660
        assert shared.stat().st_mode & wanted == wanted, place
        assert own.stat().st_mode & 0o2020 == 0, place  # as the umask has it


def test_a_folder_is_copied_as_long_as_it_is_within_the_bound(folder, tmp_path):
    (folder / "data" / "numbers.txt").write_bytes(b"x" * 996)
    assert collect_one(folder, tmp_path / "whole", max_dir_size=1).refused == 0
    assert (tmp_path / "whole" / "data" / "numbers.txt").read_bytes() == b"x" * 996
    (folder / "data" / "numbers.txt").write_bytes(b"x" * 997)
    assert collect_one(folder, tmp_path / "none", max_dir_size=1).refused == 1
    assert not (tmp_path / "none").exists()


def test_a_file_of_many_blocks_is_copied_whole(tmp_path):
    (tmp_path / "source").mkdir()
    content = bytes(range(251)) * (2 * BLOCK // 251) + b"end"
    (tmp_path / "source" / "large").write_bytes(content)
    assert copy_files(tmp_path / "source", tmp_path / "target", lambda place, names: [], len(content)) == []
    assert (tmp_path / "target" / "large").read_bytes() == content


def test_a_failed_copy_is_told_by_its_cause_and_leaves_nothing(folder, tmp_path, monkeypatch, caplog):
    """The exception's own text would name a path of the computer."""

    def full(*_args: object) -> list[str]:
        (tmp_path / "target").mkdir()
        raise OSError(errno.ENOSPC, "No space left on device", "/srv/courses/one")

    monkeypatch.setattr(exchange, "copy_files", full)
    collector = Collect(coursedir=CourseDirectory(), log=logging.getLogger("collecting"))
    collector.refused = 0
    collector.do_copy(str(folder), str(tmp_path / "target"))
    assert collector.refused == 1 and not (tmp_path / "target").exists()
    assert caplog.messages == ["Not collected: 'source': No space left on device."]


def test_what_the_course_ignores_is_not_copied(folder, tmp_path):
    assert collect_one(folder, tmp_path / "target", ignore=["data", "*.ipynb"]).refused == 0
    assert list((tmp_path / "target").iterdir()) == []


def test_too_many_files_or_folders_are_refused(course):
    course.hand_in("ada")
    for student, make in (("bob", Path.touch), ("cyd", Path.mkdir)):
        folder = course.hand_in(student).parent / "many"
        folder.mkdir()
        for number in range(1001):
            make(folder / str(number))
    done = course.collect()
    assert course.taken() == {"ada": "ada"}
    assert done.stderr.count("more than 1000 files and folders") == 2


def test_folders_in_one_another_are_counted_as_well(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("autograder.intake.copying.MAX_FILES", 8)
    (folder / "/".join("abcde")).mkdir(parents=True)  # beside the two files and the folder that are there
    assert collect_one(folder, tmp_path / "first").refused == 0
    (folder / "/".join("abcdef")).mkdir()
    assert collect_one(folder, tmp_path / "second").refused == 1


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make folders that belong to others")
def test_nobody_hands_in_under_anothers_name(course):
    """The newest folder that bears bob's name is root's: bob's own, older one is taken."""
    with (course.root / "nbgrader_config.py").open("a") as file:
        file.write("c.ExchangeCollect.check_owner = True\n")
    own = course.hand_in("daemon", "own")
    os.chown(own.parent, pwd.getpwnam("daemon").pw_uid, -1)
    course.hand_in("daemon", "written by root", LATE)
    course.hand_in("bin", "written by root")
    done = course.collect()
    assert course.taken() == {"daemon": "own"}
    assert "it belongs to root, not to the student" in done.stderr


def test_a_submission_is_collected_when_it_is_complete_and_with_its_secret(course):
    """`nbgrader submit` writes the notebook, then the time, then the secret; `collect` may come between any two."""
    for name in ("timestamp.txt", SECRET):
        (course.hand_in(f"lacks_{name[:4]}").parent / name).unlink()
    (course.hand_in("empty").parent / SECRET).write_text("")
    course.hand_in("earlier", "first")
    unfinished = course.hand_in("earlier", "second", LATE).parent / SECRET
    unfinished.unlink()
    done = course.collect()
    assert course.taken() == {"earlier": "first"} and done.stderr.count("still being handed in") == 3
    for folder in course.inbound.iterdir():
        for name in ("timestamp.txt", SECRET):
            (folder / name).write_text(LATE)
    assert course.collect("--update").returncode == 0
    assert course.taken() == {
        "earlier": "second",
        "lacks_time": "lacks_time",
        "lacks_subm": "lacks_subm",
        "empty": "empty",
    }
    assert all((folder / LESSON / SECRET).read_text() == LATE for folder in (course.root / "submitted").iterdir())
