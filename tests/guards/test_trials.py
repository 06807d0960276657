"""A bug meets the tests that run its line, in a copy of the tree; what notices it is named."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks.guards import rooms, traces, trials
from benchmarks.guards.bugs import bugs_of
from benchmarks.guards.rooms import Selection, Suite
from benchmarks.guards.trials import HANGS, NOT_RUN, Copies

MODULE = """\
LIMIT = 2 + 1


def allowed(x):
    if x > LIMIT:
        raise ValueError(x)
    return x


def unused(x):
    return x or 1


def waits(done):
    while not done:
        pass
    return True
"""
TESTS = """\
import subprocess, sys
from room.module import allowed, waits

def test_small():
    assert allowed(1) == 1

def test_large():
    try:
        allowed(9)
    except ValueError:
        return
    assert False

def test_elsewhere():
    assert subprocess.run([sys.executable, "-c", "from room.module import waits; assert waits(True)"]).returncode == 0
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory) -> Path:
    """A package with its tests, as a copy of a tree."""
    tree = tmp_path_factory.mktemp("guards") / "tree"
    for name, text in {"room/__init__.py": "", "room/module.py": MODULE, "tests/room/test_module.py": TESTS}.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    return tree


@pytest.fixture(scope="module")
def tests(tree) -> Suite:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(rooms, "test_files", lambda room: ["tests/room/test_module.py"])
        patched.setattr(rooms, "folder_of", lambda room: "room")
        return Suite("room", tree)


@pytest.fixture
def copies(tree, monkeypatch) -> Copies:
    monkeypatch.setattr(trials, "ROOT", tree)
    copies = object.__new__(Copies)
    copies.all, copies.writes, copies.free = [tree], 0, trials.Queue()
    copies.free.put(tree)
    return copies


def bug(difference: str):
    (found,) = [bug for bug in bugs_of("room/module.py", MODULE) if bug.difference == difference]
    return found


def names(tests: list[str]) -> list[str]:
    return [test.partition("::")[2] for test in tests]


def test_tests_are_those_that_run_the_line_also_in_a_process_of_their_own(tests):
    assert names(tests.that_run(bug("x > LIMIT => (x > LIMIT) and False"))) == ["test_small", "test_large"]
    assert names(tests.that_run(bug("not done => bool(done)"))) == ["test_elsewhere"]
    assert tests.that_run(bug("x or 1 => ((x))")) == []
    # A constant is made when the module is imported: all tests that come to the module.
    assert names(tests.that_run(bug("2 + 1 => (2)"))) == ["test_small", "test_large", "test_elsewhere"]


@pytest.mark.parametrize(
    ("difference", "noticed", "said"),
    [
        ("x > LIMIT => (x > LIMIT) and False", "tests/room/test_module.py::test_large", ""),
        ("x > LIMIT => x >= LIMIT", "", ""),
        ("x or 1 => ((x))", "", NOT_RUN),
        ("not done => bool(done)", HANGS, ""),
    ],
)
def test_a_bug_is_noticed_by_a_test_by_hanging_or_by_none(copies, tests, tree, monkeypatch, difference, noticed, said):
    if noticed == HANGS:
        monkeypatch.setattr(trials, "MORE_SECONDS", 1)  # the loop never ends, however long a run may take
    found = copies.try_(bug(difference), tests)
    assert (found.noticed, found.said) == (noticed, said)
    assert (tree / "room" / "module.py").read_text() == MODULE


def made(order: list[str], **told) -> Suite:
    tests = object.__new__(Suite)
    tests.files = sorted({test.partition("::")[0] for test in order})
    tests.order, tests.dependent = order, told.get("dependent", set())
    tests.seconds = dict.fromkeys(order, 0.1) | told.get("seconds", {})
    tests.setups = dict.fromkeys(order, 0.0) | told.get("setups", {})
    return tests


def test_quick_files_run_before_the_others_and_shared_setups_count_once():
    tests = made(["a::1", "a::2", "b::1", "c::1"], setups={"a::1": 9.0, "a::2": 9.0}, seconds={"c::1": 1.0})
    (quick, only, seconds), (slow, others, more) = tests.batches(["a::1", "a::2", "b::1", "c::1"])
    assert (quick, only, seconds) == (["b", "c"], {"b::1", "c::1"}, pytest.approx(1.1))
    assert (slow, others, more) == (["a"], {"a::1", "a::2"}, pytest.approx(9.2))
    assert tests.batches([]) == []


def test_a_test_that_leans_on_those_before_runs_with_them():
    tests = made(["a::1", "a::2", "a::3", "b::1"], dependent={"a::2"})
    assert tests.with_leaned_on(["a::2", "b::1"]) == {"a::1", "a::2", "b::1"}
    assert tests.with_leaned_on(["a::3"]) == {"a::3"}


def test_a_selection_notes_outcomes_and_runs_what_is_chosen(tmp_path):
    selection = Selection({"a::1", "a::3"}, True, tmp_path)
    items = [SimpleNamespace(nodeid=f"a::{n}") for n in range(1, 4)]
    selection.pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == ["a::3", "a::1"]
    selection.pytest_runtest_logstart("a::3")
    assert (tmp_path / "test").read_text() == "a::3"
    for when, failed in (("setup", False), ("call", True), ("teardown", False)):
        selection.pytest_runtest_logreport(SimpleNamespace(nodeid="a::3", when=when, failed=failed, duration=1.0))
    assert (selection.failed, selection.setups, selection.seconds) == (["a::3"], {"a::3": 1.0}, {"a::3": 2.0})
    selection.pytest_collectreport(SimpleNamespace(nodeid="b.py", failed=True))
    assert selection.failed == ["a::3", "b.py"]


def test_traces_are_of_threads_too_and_of_the_test_that_runs(tmp_path):
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "lines.py").write_text("def f():\n    return 1\n\n\ndef g():\n    return 2\n")
    program = (
        "import os, threading\nfrom benchmarks.guards import traces\n"
        "test = os.environ['FOLDER'] + '/test'\n"
        "open(test, 'w').write('')\n"
        "traces.start(os.environ['FOLDER'], os.environ['FOLDER'] + '/room/')\n"
        "from room import lines\n"
        "open(test, 'w').write('one')\nlines.f()\nlines.f()\n"
        "open(test, 'w').write('two')\n"
        "thread = threading.Thread(target=lines.g)\nthread.start()\nthread.join()\n"
    )
    paths = os.pathsep.join([str(tmp_path), str(Path(traces.__file__).parents[2])])
    environment = os.environ | {"FOLDER": str(tmp_path), "PYTHONPATH": paths}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    found = traces.read(tmp_path, str(tmp_path))
    assert found["one"] == {"room/lines.py": {2}} and found["two"] == {"room/lines.py": {6}}
    assert found[""]["room/lines.py"] == {1, 5}
    assert traces.read(tmp_path / "none", "") == {}


def test_a_run_that_dies_is_a_failed_one(tree):
    (tree / "tests" / "room" / "test_dies.py").write_text("import os\n\ndef test_dies():\n    os._exit(0)\n")
    assert rooms.run(tree, ["tests/room/test_dies.py"], 30)["failed"] == ["(died)"]
    result = rooms.run(tree, ["tests/room/test_module.py"], 30, first=True)
    assert result["failed"] == [] and json.dumps(result)
