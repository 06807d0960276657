"""Is each promise's test red when a guard is out? `python -m benchmarks.guards.promises [--only TEXT] [--search 12]`

`promises.toml` names for a row of `docs/promises.md` the guard that holds it: the guard is taken out in a copy of the
tree, and the row's test alone is run, which must be red. With `--search`, the other rows are tried as well: the tool
runs a row's tests once, notes which lines of ours they run, and takes the guards (`if …: return, raise, continue`,
parts of conditions) on these lines out, one at a time, those of modules that the test's path names first. A row that
is still green then is to be read by a person: its test may not be able to fail. Code that runs inside the sandbox is
not seen by the search.
"""

import argparse
import random
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.common.toml import read_toml
from benchmarks.guards import traces
from benchmarks.guards.bugs import Bug, bugs_of
from benchmarks.guards.rooms import FORKS, LIBRARIES, ROOT, run
from benchmarks.guards.trials import HANGS, MORE_SECONDS, SLOWER, Copies

NAMED = Path(__file__).with_name("promises.toml")
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


@dataclass(frozen=True)
class Named:
    """A guard that holds a promise: a text of a module, what is put in its place, and the test that must be red."""

    test: str
    module: str
    text: str
    instead: str


def named() -> list[Named]:
    """Return the guards of `promises.toml`."""
    entries = read_toml(NAMED)["guard"]
    return [Named(entry["test"], entry["module"], entry["text"], entry.get("with", "")) for entry in entries]


def try_named(chosen: list[Named], copies: Copies) -> Iterator[str]:
    """Yield a row for each guard: whether its test is red without it."""
    tree = copies.all[0]
    plain = run(tree, sorted({guard.test for guard in chosen}), 3600)
    failed = ["(no test ended)"] if plain is None else plain["failed"]
    for guard in chosen:
        source = (ROOT / guard.module).read_bytes()
        copies.write(tree / guard.module, source.replace(guard.text.encode(), guard.instead.encode()))
        try:
            result = run(tree, [guard.test], SLOWER * 60 + MORE_SECONDS, first=True)
        finally:
            copies.write(tree / guard.module, source)
        said = f"red {HANGS}" if result is None else "red" if result["failed"] else "GREEN"
        if any(test.partition("[")[0] == guard.test.partition("[")[0] for test in failed) or plain is None:
            said = "does not pass in a copy of the tree"
        yield f"| `{guard.test.rpartition('::')[2]}` | {guard.module} | `{' '.join(guard.text.split())}` | {said} |"


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
    parser.add_argument("--search", type=int, default=0, help="guards that are tried for a row for which none is named")
    parser.add_argument("--seed", type=int, default=1, help="of their order")
    arguments = parser.parse_args()
    FORKS.set_forkserver_preload(LIBRARIES)
    chosen = [guard for guard in named() if arguments.only in f"{guard.test} {guard.module}"]
    known = {guard.test for guard in named()}
    with tempfile.TemporaryDirectory() as folder:
        copies = Copies(Path(folder), 1)
        for row in try_named(chosen, copies) if chosen else ():
            print(row, flush=True)
        for promise in promises() if arguments.search else ():
            if arguments.only in f"{promise.says} {promise.tests}" and not known & {*promise.tests}:
                said = seen_red(promise, copies, arguments.search, arguments.seed)
                print(f"| {promise.says} | {said} |", flush=True)


if __name__ == "__main__":
    main()
