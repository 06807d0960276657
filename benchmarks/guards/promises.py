"""Is each promise's test red when a guard is out? `python -m benchmarks.guards.promises [--only TEXT] [--most 12]`

For a row of `docs/promises.md`: run its tests once and note which lines of ours they run; then take the guards (`if …:
return, raise, continue`, parts of conditions) on these lines out, one at a time, in a copy of the tree, until the row's
tests are red. Guards of modules that the test's path names come first. A row that is still green after `--most` guards
is to be read by a person: its test may not be able to fail. Code that runs inside the sandbox is not seen.
"""

import argparse
import random
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.guards import traces
from benchmarks.guards.bugs import Bug, bugs_of
from benchmarks.guards.rooms import FORKS, LIBRARIES, ROOT, run
from benchmarks.guards.trials import HANGS, MORE_SECONDS, SLOWER, Copies

KINDS = ("guard", "branch", "and", "or", "not", "boundary")
TEST = re.compile(r"`(tests/[\w/]+\.py::\w+(?:\[[^`]*\])?)`")


@dataclass(frozen=True)
class Promise:
    """A row of the page: what is promised, and the tests that hold it."""

    says: str
    tests: tuple[str, ...]


def promises() -> list[Promise]:
    """Return the rows that name a test."""
    rows = [line.split("|") for line in (ROOT / "docs/promises.md").read_text(encoding="utf-8").splitlines()]
    named = [(row[1].strip(), tuple(TEST.findall("|".join(row)))) for row in rows if len(row) > 3]
    return [Promise(says, tests) for says, tests in named if tests]


def guards(promise: Promise, tree: Path, rng: random.Random) -> Iterator[Bug]:
    """Yield the guards on lines that a row's tests run, those of modules first whose names are in the tests' paths."""
    result = run(tree, list(promise.tests), 900, traced=f"{tree}/")
    if result is None or result["failed"]:
        return
    ran: dict[str, set[int]] = {}
    for by_file in traces.read(tree.parent / f"{tree.name}.run", str(tree)).values():
        for file, lines in by_file.items():
            if file.startswith(("autograder/", "utils/")):
                ran.setdefault(file, set()).update(lines)
    found = [
        bug
        for module, lines in sorted(ran.items())
        for bug in bugs_of(module, (ROOT / module).read_text(encoding="utf-8"))
        if bug.kind in KINDS and bug.in_function and set(range(bug.first, bug.last + 1)) & lines
    ]
    rng.shuffle(found)
    words = set(re.findall(r"[a-z]+", " ".join(promise.tests)))
    yield from sorted(found, key=lambda bug: -len(words & set(re.findall(r"[a-z]+", bug.module))))


def seen_red(promise: Promise, copies: Copies, most: int, seed: int) -> str:
    """Return the guard without which a promise's tests are red, or what was tried in vain."""
    tree, tried = copies.all[0], 0
    for bug in guards(promise, tree, random.Random(seed)):
        if tried == most:
            break
        tried += 1
        source = (ROOT / bug.module).read_bytes()
        copies.write(tree / bug.module, bug.put_into(source))
        try:
            result = run(tree, list(promise.tests), SLOWER * 60 + MORE_SECONDS, first=True)
        finally:
            copies.write(tree / bug.module, source)
        if result is None or result["failed"]:
            return (
                f"red{f' {HANGS}' if result is None else ''} without {bug.module}:{bug.first} `{bug.difference[:80]}`"
            )
    return f"green without each of {tried} guards" if tried else "does not pass in a copy of the tree"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.guards.promises", description=__doc__)
    parser.add_argument("--only", default="", help="rows that hold this text")
    parser.add_argument("--most", type=int, default=12, help="guards that are tried for a row")
    parser.add_argument("--seed", type=int, default=1, help="of their order")
    arguments = parser.parse_args()
    FORKS.set_forkserver_preload(LIBRARIES)
    with tempfile.TemporaryDirectory() as folder:
        copies = Copies(Path(folder), 1)
        for promise in promises():
            if arguments.only in f"{promise.says} {promise.tests}":
                said = seen_red(promise, copies, arguments.most, arguments.seed)
                print(f"| {promise.says} | {said} |", flush=True)


if __name__ == "__main__":
    main()
