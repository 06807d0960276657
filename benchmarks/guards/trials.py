"""One bug at a time in a copy of the tree: which test notices it, if any does."""

import os
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

from autograder.common.toml import read_toml
from benchmarks.guards.bugs import Bug, bugs_of
from benchmarks.guards.rooms import FORKS, LIBRARIES, NO_TESTS, ROOT, Suite, copy_of_tree, modules_of, run

EQUIVALENT = Path(__file__).parent / "equivalent.toml"
# A bug counts as noticed, because it hangs, if the tests take so many times their seconds, and so many seconds more,
# of processor time.
SLOWER, MORE_SECONDS = 3, 20
HANGS, NOT_RUN = "(hangs)", "(no test runs this line)"


@dataclass(frozen=True)
class Verdict:
    """What became of a bug: `noticed` says by which test; "" for a survivor."""

    bug: Bug
    noticed: str
    said: str = ""


def equivalent() -> dict[tuple[str, str], str]:
    """Return the reasons of the bugs that change nothing, by module and difference."""
    listed = read_toml(EQUIVALENT)["bug"]
    return {(one["module"], one["difference"]): one["reason"] for one in listed}


def counted(room: str) -> list[Bug]:
    """Return all bugs of a package that change something, in the order of its text."""
    known = equivalent()
    found = [bug for module in modules_of(room) for bug in bugs_of(module, (ROOT / module).read_text(encoding="utf-8"))]
    return [bug for bug in found if (bug.module, bug.difference) not in known]


def drawn(room: str, seed: int, number: int) -> list[Bug]:
    """Return `number` bugs of a package, the same ones for a seed, in the order of its text."""
    bugs = counted(room)
    places = sorted(random.Random(f"{seed} {room}").sample(range(len(bugs)), min(number, len(bugs))))
    return [bugs[place] for place in places]


class Copies:
    """Copies of the tree, one for each bug that is tried at the same time."""

    def __init__(self, folder: Path, number: int):
        FORKS.set_forkserver_preload(LIBRARIES)
        self.all = [copy_of_tree(folder / str(n)) for n in range(number)]
        self.free: Queue[Path] = Queue()
        self.writes = 0
        for copy in self.all:
            self.free.put(copy)

    def tried(self, bugs: list[Bug], tests: Suite) -> Iterator[Verdict]:
        """Yield what becomes of each bug, in their order."""
        with ThreadPoolExecutor(len(self.all)) as pool:
            yield from pool.map(lambda bug: self.try_(bug, tests), bugs)

    def try_(self, bug: Bug, tests: Suite) -> Verdict:
        """Return which test notices a bug.

        First run the tests that run its line. What several tests share is made once, so the others that come to the
        module are asked as well, if those notice nothing.
        """
        nearest = tests.that_run(bug)
        if not nearest:
            return Verdict(bug, "", NOT_RUN)
        others = [test for test in tests.that_come_to(bug.module) if test not in nearest]
        tree = self.free.get()
        try:
            source = (ROOT / bug.module).read_bytes()
            self.write(tree / bug.module, bug.put_into(source))
            for files, only, seconds in [*tests.batches(nearest), *tests.batches(others)]:
                noticed = _noticed(tree, files, only, SLOWER * seconds + MORE_SECONDS)
                if noticed:
                    return Verdict(bug, noticed)
            return Verdict(bug, "")
        finally:
            self.write(tree / bug.module, source)
            self.free.put(tree)

    def write(self, path: Path, source: bytes) -> None:
        """Write a module with a time of its own: Python knows compiled modules by their time, in seconds, and size."""
        self.writes += 1
        path.write_bytes(source)
        os.utime(path, (1_000_000_000 + self.writes,) * 2)


def _noticed(tree: Path, files: list[str], only: set[str], limit: float) -> str:
    result = run(tree, files, limit, only=only, first=True)
    if result is None:
        return HANGS
    if result["failed"]:
        return str(result["failed"][0])
    return "" if result["status"] in (0, NO_TESTS) else "(pytest)"
