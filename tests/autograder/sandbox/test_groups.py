"""A submission's memory by the kernel's own account: control groups, where systemd or a container leaves us some.

To run all of them: systemd-run --user --scope -p Delegate=yes .venv/bin/python -m pytest -k groups
"""

import os
import time
from pathlib import Path

import pytest

from autograder.common.course import WORKBOOK
from autograder.sandbox import groups
from autograder.sandbox.errors import Stopped
from autograder.sandbox.limits import DIED, TOO_LARGE, Limits
from autograder.sandbox.parent import Sandbox
from autograder.sandbox.watch import Watch
from tests.helpers.sessions import LIMITS, printed, value

MIB = 2**20
left_to_us = pytest.mark.skipif(not groups.delegated(), reason="no cgroup (version 2) with memory is delegated here")


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A folder that looks like the group of this process."""
    own = tmp_path / "user.slice" / "run-1.scope"
    own.mkdir(parents=True)
    (tmp_path / "cgroup").write_text("4:memory:/old\n0::/user.slice/run-1.scope\n")
    (own / "cgroup.controllers").write_text("cpu memory pids\n")
    (own / "cgroup.procs").write_text(f"{os.getpid()}\n")
    monkeypatch.setattr(groups, "MOUNTED", tmp_path)
    monkeypatch.setattr(groups, "OWN", tmp_path / "cgroup")
    groups.delegated.cache_clear()
    yield own
    monkeypatch.undo()
    groups.delegated.cache_clear()


@pytest.fixture
def group(tmp_path):
    """A folder with what the kernel tells of a group: 700 MiB in all, 100 of them copies of a disk's files."""
    group = groups.Group(tmp_path / "session", 2**30)
    (group.folder / "memory.current").write_text(f"{700 * MIB}\n")
    (group.folder / "memory.stat").write_text(f"anon 1\nfile {150 * MIB}\nfile_mapped 7\nshmem {50 * MIB}\n")
    (group.folder / "memory.events").write_text("high 0\noom 0\noom_kill 0\noom_group_kill 0\n")
    (group.folder / "cgroup.procs").write_text("41\n42\n")
    yield group
    group.close()


@pytest.fixture(scope="module")
def patient():
    """A sandbox for what takes long on an emulated computer."""
    with Sandbox(WORKBOOK, Limits(cell_cpu_seconds=60.0, cell_wall_seconds=120.0, total_wall_seconds=400.0)) as sandbox:
        yield sandbox


def delegate(monkeypatch, own: Path, told: bytes = b"1") -> None:
    monkeypatch.setattr(os, "getxattr", lambda path, name: told if (path, name) == (own, "user.delegate") else fail())


def fail() -> bytes:
    raise OSError


def test_a_group_that_systemd_left_to_us_is_used_and_its_processes_make_room(own, monkeypatch):
    delegate(monkeypatch, own)
    assert groups.delegated() == own
    assert (own / groups.GRADER / "cgroup.procs").read_text() == str(os.getpid())
    assert (own / "cgroup.subtree_control").read_text() == "+memory"
    # A worker is started in the group of its grader.
    groups.OWN.write_text(f"0::/user.slice/run-1.scope/{groups.GRADER}\n")
    groups.delegated.cache_clear()
    assert groups.delegated() == own


def test_groups_of_graders_that_are_gone_are_removed(own, monkeypatch):
    delegate(monkeypatch, own)
    gone, ours = (own / f"{groups.SESSION}-{pid}-1" for pid in (2**30, os.getpid()))
    gone.mkdir()
    ours.mkdir()
    groups.delegated()
    assert ours.exists() and not gone.exists()


def test_a_group_that_nobody_left_to_us_stays_as_it_is(own, monkeypatch):
    assert groups.delegated() is None
    groups.delegated.cache_clear()
    delegate(monkeypatch, own, b"0")
    assert groups.delegated() is None
    groups.delegated.cache_clear()
    delegate(monkeypatch, own)
    (own / "cgroup.controllers").write_text("cpu pids\n")
    assert groups.delegated() is None
    assert sorted(path.name for path in own.iterdir()) == ["cgroup.controllers", "cgroup.procs"]


def test_a_containers_group_is_known_by_being_the_top_without_being_the_computers(own, monkeypatch):
    monkeypatch.setattr(groups, "MOUNTED", own)
    groups.OWN.write_text("0::/\n")
    assert groups.delegated() is None
    groups.delegated.cache_clear()
    (own / "cgroup.type").write_text("domain\n")
    assert groups.delegated() == own


def test_a_group_counts_all_but_copies_of_files_on_disk(group):
    assert group.bytes() == 600 * MIB
    assert (group.folder / "memory.max").read_text() == str(2**30 + 2**27)
    assert group.has(42) and not group.has(4)


def test_what_the_kernel_ends_for_its_own_memory_is_no_doubtful_stop(group):
    watch = Watch(LIMITS, group)
    assert str(watch.doubtful(DIED)) == DIED and watch.doubts == 1
    (group.folder / "memory.events").write_text("oom 1\noom_kill 3\n")
    assert str(watch.doubtful(DIED)) == TOO_LARGE and watch.doubts == 1
    watch.begin_step()
    assert str(watch.doubtful(DIED)) == DIED and watch.doubts == 2  # that was in the step before


def test_where_the_kernel_puts_no_process_into_a_group_proc_is_asked(group, patient, monkeypatch):
    monkeypatch.setattr(groups, "open_group", lambda most: group)
    with patient.session() as session:  # a folder is no group
        assert session.watch.group is None
        session.run_cell("x = b'x' * (50 * 2**20)", "cell")
        assert session.watch.bytes_of_all() > 50 * MIB


@left_to_us
def test_a_sessions_memory_is_counted_by_the_kernel_and_its_group_is_gone_after_it(patient):
    with patient.session() as session:
        group = session.watch.group
        assert group and group.has(session.states.init.pid) and group.has(session.states.current.pid)
        before = session.watch.bytes_of_all()
        session.run_cell("x = b'x' * (200 * 2**20)", "cell")
        assert 190 * MIB < session.watch.bytes_of_all() - before < 260 * MIB
        session.run_cell("y = len(x)", "cell")  # in a fork, which has the same pages
        assert session.watch.bytes_of_all() - before < 280 * MIB
        written = "open('f', 'wb').write(b'x' * (60 * 2**20))"
        session.run_cell(written, "cell")  # scratch is memory, too
        assert session.watch.bytes_of_all() - before > 250 * MIB
    for _ in range(100):
        groups._sweep()
        if not group.folder.exists():
            break
        time.sleep(0.05)
    assert not group.folder.exists()


AT_ONCE = """
import os, signal
taking = os.pipe()
for _ in range(8):
    if os.fork() == 0:
        os.read(taking[0], 1)
        held = b'x' * (400 * 2**20)
        signal.pause()
os.write(taking[1], b'12345678')
for _ in range(8):
    os.wait()
"""


@left_to_us
def test_the_kernel_keeps_the_limit_between_two_looks(patient, monkeypatch):
    monkeypatch.setattr(Watch, "_may_be_too_large", lambda self, orphans: False)  # as if no look came in time
    with patient.session() as session:
        session.run_cell("x = 1", "first")
        with pytest.raises(Stopped, match="more memory"):
            session.run_cell(AT_ONCE, "cell")
        assert session.watch.doubts == 0
        assert value(session, "x") == 1
        assert printed(session, "print(x + 1)") == "2\n"


@left_to_us
def test_student_code_is_outside_of_its_groups_files(session):
    source = """
import os, stat
def folders():
    for number in range(256):
        try:
            if stat.S_ISDIR(os.fstat(number).st_mode):
                yield number
        except OSError:
            pass
print(list(folders()), os.path.exists('/sys/fs/cgroup'), os.path.exists('/proc/self/cgroup'))
"""
    assert printed(session, source) == "[] False False\n"
