"""A package's tests, how long each takes, and which lines each runs: measured by two runs of the unchanged code."""

import contextlib
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import psutil

from benchmarks.guards import traces
from benchmarks.guards.bugs import Bug

ROOT = Path(__file__).parents[2]
# Tests of a package that are kept outside of the folder of `tests` which mirrors the package.
ELSEWHERE = {
    "reports": ["tests/autograder/commands"],
    "intake": ["tests/autograder/gradebook/test_take_in.py", "tests/autograder/gradebook/test_workbook_collect.py"],
}
# The packages that the tests import: loaded once, before the processes that run tests are forked.
LIBRARIES = ["torch", "numpy", "matplotlib.pyplot", "pytest", "hypothesis.extra.numpy", "rich.console", "IPython"]
LIBRARIES += ["jupytext", "nbgrader.apps.api", "nbgrader.converters", "nbgrader.preprocessors", "PIL.Image"]
LIBRARIES += ["jupyter_server.serverapp", "nbgrader.server_extensions.formgrader.base", "sklearn", "scipy.stats"]
# Test files that take at most so many seconds for a bug run before the others.
QUICK = 2.0
PR_SET_PDEATHSIG = 1
NO_TESTS = 5  # pytest's exit status if no test was selected
FORKS = get_context("forkserver")


def folder_of(room: str) -> str:
    """Return a package's folder; `essays` is short for `autograder/essays`."""
    return room if "/" in room else f"autograder/{room}"


def modules_of(room: str) -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / folder_of(room)).glob("*.py"))


def test_files(room: str) -> list[str]:
    """Return the test files of a package, those of its own folder first."""
    places = [f"tests/{folder_of(room)}", *ELSEWHERE.get(room, [])]
    found = [
        path
        for place in places
        for path in ([ROOT / place] if place.endswith(".py") else sorted((ROOT / place).glob("test_*.py")))
    ]
    return [str(path.relative_to(ROOT)) for path in found]


def copy_of_tree(folder: Path) -> Path:
    """Copy what git tracks, or would."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def _session(leader: int) -> list[psutil.Process]:
    """Return the processes of a run."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(process.pid) == leader:
                found.append(process)
    return found


def _hangs(process: BaseProcess, limit: float) -> bool:
    """Wait for a run; return whether it takes more than `limit` seconds of processor time, or waits for ever.

    The clock alone says little on a computer that others use: a run counts as waiting after ten times the limit.
    """
    end = time.monotonic() + 10 * limit
    while process.exitcode is None:
        process.join(0.5)
        used = 0.0
        for one in _session(process.pid or 0):
            with contextlib.suppress(psutil.Error):
                used += sum(one.cpu_times()[:4])  # own and of ended children, in user and system mode
        if process.exitcode is None and (used > limit or time.monotonic() > end):
            return True
    return False


@dataclass(eq=False)
class Selection:
    """A pytest plugin: runs only the `only` tests (None: all), `backwards` if asked; notes outcomes and times."""

    only: set[str] | None
    backwards: bool
    folder: Path  # the file `test` in it names the present test
    seconds: dict[str, float] = field(default_factory=dict)
    setups: dict[str, float] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        if self.only is not None:
            items[:] = [item for item in items if item.nodeid in self.only]
        if self.backwards:
            items.reverse()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        (self.folder / "test").write_text(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        kind = self.setups if report.when == "setup" else self.seconds
        kind[report.nodeid] = kind.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def _pytest(tree: str, files: list[str], told: dict[str, Any]) -> None:
    """Run tests in a copy of the tree; for a process of its own, which ends with pytest's exit status."""
    os.setsid()
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # a run that is ended ends its tests
    os.chdir(tree)
    # Python keeps what it compiles, also where the environment forbids it: each run imports the same modules.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # jupyter, alembic
    sys.dont_write_bytecode = False
    folder = Path(told["folder"])
    (folder / "test").write_text("")
    paths = [tree]
    if told["traced"]:
        os.environ.update({traces.FOLDER: str(folder), traces.TRACED: told["traced"]})
        paths.insert(0, str(folder))
        shutil.copy(traces.__file__, folder / "sitecustomize.py")
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    # The temporary files of the tests go when the run's folder goes, also after a kill.
    os.environ["TMPDIR"] = told["temporary"]
    tempfile.tempdir = None
    sys.path.insert(0, tree)
    # Whatever the starting program has loaded of the tree itself would be tested in place of the copy.
    for name in [name for name in sys.modules if name.partition(".")[0] in ("autograder", "utils", "tests")]:
        del sys.modules[name]
    with open(folder / "output", "w") as nothing:
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
    import pytest

    selection = Selection(told["only"], told["backwards"], folder)
    options = ["-q", "-p", "no:cacheprovider", "--hypothesis-seed=0", *(["-x"] if told["first"] else [])]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of plugins that are loaded already
    if told["traced"]:
        traces.start(str(folder), told["traced"])
    status = int(pytest.main([*options, *files], plugins=[selection]))
    sys.settrace(None)
    result = {name: getattr(selection, name) for name in ("seconds", "setups", "failed")} | {"status": status}
    (folder / "result.json").write_text(json.dumps(result))
    os._exit(status)


def run(
    tree: Path,
    files: list[str],
    limit: float,
    *,
    only: set[str] | None = None,
    backwards: bool = False,
    traced: str = "",
    first: bool = False,
) -> dict[str, Any] | None:
    """Run test files in a copy of the tree; return outcomes and times, None if they hang, see `_hangs`.

    A run that ended without a report (the process died) counts as failed.
    """
    folder = tree.parent / f"{tree.name}.run"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "tmp").mkdir(parents=True)
    told = {
        "folder": str(folder),
        "temporary": str(folder / "tmp"),
        "only": only,
        "backwards": backwards,
        "traced": traced,
        "first": first,
    }
    process = FORKS.Process(target=_pytest, args=(str(tree), files, told))
    process.start()
    hung = _hangs(process, limit)
    for one in _session(process.pid or 0):  # what the tests have left running, so that the next bug does not meet it
        with contextlib.suppress(psutil.Error):
            one.kill()
    process.join()
    if hung:
        return None
    path = folder / "result.json"
    result: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"status": -1, "failed": ["(died)"]}
    return result


class Suite:
    """The tests of a package: their seconds, the lines that each runs, those that need the tests before them."""

    def __init__(self, room: str, tree: Path):
        self.files = test_files(room)
        traced = run(tree, self.files, 1800, traced=f"{tree}/{folder_of(room)}/")
        lines = traces.read(tree.parent / f"{tree.name}.run", str(tree))
        plain = run(tree, self.files, 1800, backwards=True)
        if traced is None or plain is None or not traced["seconds"]:
            raise SystemExit(f"The tests of {room} do not run without a bug.")
        # Suite that fail in a copy of the tree, where neither git nor an installation is, cannot judge a bug.
        self.left_out = sorted(set(traced["failed"]))
        # Suite that fail if the tests of their file run backwards: they run only after those before them.
        self.dependent = set(plain["failed"]) - set(self.left_out)
        self.order = [test for test in traced["seconds"] if test not in self.left_out]
        self.seconds = {test: plain["seconds"].get(test, 0.0) for test in self.order}
        # What tests share is made by the first one of a file: in one of the two runs that was another test.
        self.setups = {test: max(run["setups"].get(test, 0.0) for run in (traced, plain)) for test in self.order}
        self.lines = lines

    def that_run(self, bug: Bug) -> list[str]:
        """Return the tests that run a bug's line; all that come to its module if Python runs the line at its import."""
        lines = set(range(bug.first, bug.last + 1))
        at_import = not bug.in_function or lines & self.lines.get("", {}).get(bug.module, set())
        come = [test for test in self.order if lines & self.lines.get(test, {}).get(bug.module, set())]
        return come if not at_import else self.that_come_to(bug.module) or self.order

    def that_come_to(self, module: str) -> list[str]:
        return [test for test in self.order if self.lines.get(test, {}).get(module)]

    def with_leaned_on(self, tests: list[str]) -> set[str]:
        """Return tests, and those of their files that they lean on."""
        chosen = set(tests)
        for test in chosen & self.dependent:
            place = self.order.index(test)
            chosen |= {one for one in self.order[:place] if _file(one) == _file(test)}
        return chosen

    def cost(self, tests: set[str]) -> float:
        """Return about how many seconds tests take that are all of one file."""
        return sum((self.seconds[test] for test in tests), max((self.setups[test] for test in tests), default=0.0))

    def batches(self, tests: list[str]) -> list[tuple[list[str], set[str], float]]:
        """Return the tests as (files, tests, seconds) of two runs at most: first the quick files, then the others."""
        chosen = self.with_leaned_on(tests)
        by_file = {file: {one for one in chosen if _file(one) == file} for file in sorted(set(map(_file, chosen)))}
        files = sorted(by_file, key=lambda file: (self.cost(by_file[file]) > QUICK, self.files.index(file)))
        quick = [file for file in files if self.cost(by_file[file]) <= QUICK]
        found = []
        for part in (quick, files[len(quick) :]):
            only = {one for file in part for one in by_file[file]}
            found += [(part, only, sum(self.cost(by_file[file]) for file in part))] if part else []
        return found


def _file(test: str) -> str:
    return test.partition("::")[0]
