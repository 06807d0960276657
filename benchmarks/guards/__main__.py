"""Take guards and parts of conditions out of packages, one by one, and count what their tests notice."""

import argparse
import datetime
import sys
import tempfile
from pathlib import Path

from benchmarks.guards.rooms import Suite
from benchmarks.guards.trials import HANGS, Copies, Verdict, counted, drawn

HEAD = (
    "| date | seed | package | bugs | drawn | noticed | by hanging |",
    "| --- | ---: | --- | ---: | ---: | ---: | ---: |",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.guards", description=__doc__)
    parser.add_argument(
        "rooms", nargs="+", metavar="ROOM", help="a package: essays (of autograder), utils/checks/engine"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--number", type=int, default=60, help="how many bugs are drawn of each package")
    parser.add_argument("--workers", type=int, default=2, help="bugs that are tried at the same time")
    parser.add_argument("--only", default="", help="bugs of modules, or of a kind, whose name holds this text")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        copies = Copies(Path(folder), arguments.workers)
        for room in arguments.rooms:
            bugs = drawn(room, arguments.seed, arguments.number)
            bugs = [bug for bug in bugs if arguments.only in f"{bug.module} {bug.kind}"]
            tests = Suite(room, copies.all[0])
            for test in tests.left_out:
                print(f"{test} does not pass in a copy of the tree, and is left out", flush=True)
            verdicts = []
            for verdict in copies.tried(bugs, tests):
                verdicts.append(verdict)
                _show(verdict)
                print(f"{len(verdicts)} of {len(bugs)}", file=sys.stderr, flush=True)
            rows.append(_row(room, arguments.seed, len(counted(room)), verdicts))
            print(rows[-1], flush=True)
    print("\n".join(["", *HEAD, *rows]))


def _show(verdict: Verdict) -> None:
    bug = verdict.bug
    if verdict.noticed == HANGS:
        print(f"\nHANGS {bug.module}:{bug.first} {bug.kind}\n    {bug.difference}", flush=True)
    elif not verdict.noticed:
        print(f"\nSURVIVES {bug.module}:{bug.first} {bug.kind} {verdict.said}\n    {bug.difference}", flush=True)


def _row(room: str, seed: int, number: int, verdicts: list[Verdict]) -> str:
    noticed = [verdict for verdict in verdicts if verdict.noticed]
    hanging = [verdict for verdict in noticed if verdict.noticed == HANGS]
    share = len(noticed) / len(verdicts) if verdicts else 1.0
    today = datetime.datetime.now().date().isoformat()
    return f"| {today} | {seed} | {room} | {number} | {len(verdicts)} | {len(noticed)} ({share:.1%}) | {len(hanging)} |"


if __name__ == "__main__":
    main()
