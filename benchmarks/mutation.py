"""Do the tests notice bugs? Bugs are put into the code one by one, and the tests must fail.

    python -m pip install --constraint constraints.txt --editable ".[mutation]"
    python -m benchmarks.mutation --sample 420 --seed 1     # results and reasons: mutation.md

The bugs are those of mutmut's operators: another number, text, operator or keyword, an argument left out, a value None.
mutmut's own runner is not used, because it does not mutate constants of modules and decorated functions (properties,
context managers), changes the compiled code from which the store's keys are made, and draws no sample.
Mutants are drawn from all modules of `autograder` and `utils`. Each is written into a copy of the working tree. There
run the type checker, then the test files of its room that import its module, then the quickest of the other test files
that load or read the module: what `make test` would refuse counts as noticed. The folder of `--keep` remembers what was
noticed, so that a run goes on where the last one ended, and after new tests only the survivors meet them.
"""

import argparse
import ast
import difflib
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from queue import Queue

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

ROOT = Path(__file__).parents[1]
# Test files that are not run, because a browser or a whole corpus for each mutant would take an hour.
LEFT_OUT = ("tests/browser/", "tests/attacks/")
# Libraries that the tests import; they are loaded once, before the mutants.
LIBRARIES = ["torch", "numpy", "matplotlib.pyplot", "pytest", "hypothesis.extra.numpy", "rich.console", "sacrebleu"]
LIBRARIES += ["IPython", "jupytext", "nbgrader.apps.api", "nbgrader.converters", "nbgrader.preprocessors", "PIL.Image"]
# A mutant whose tests take so many times longer, and so many seconds more, counts as an endless loop, so as noticed.
SLOWER, MORE_SECONDS = 5, 40
# Most seconds that the test files of `Tests.first` and of `Tests.others` take together. A mutant that survives meets
# all of these files, so most of a run's time goes to the survivors.
ROOM_SECONDS, OTHERS_SECONDS = 90, 30
NO_TESTS = 5  # pytest's exit status where all tests of a file are skipped or none is there
PRODUCT = ("autograder/", "utils/")


@dataclass(frozen=True)
class Mutant:
    """A bug in a module: a node of its syntax tree, and the node that replaces it."""

    module: str
    line: int
    tree: cst.Module
    node: cst.CSTNode
    mutated: cst.CSTNode

    def text(self) -> str:
        """Return the module with the bug in it."""
        return self.tree.deep_replace(self.node, self.mutated).code

    def difference(self) -> str:
        """Return the lines that differ."""
        lines = difflib.unified_diff(self.tree.code.splitlines(), self.text().splitlines(), lineterm="", n=0)
        return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


class Mutations(cst.CSTVisitor):
    """Collects all mutants of a module, in the order of its text."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, module: str):
        super().__init__()
        self.module, self.found, self.line = module, [], 0
        self.wrapper = MetadataWrapper(cst.parse_module((ROOT / module).read_text(encoding="utf-8")))
        self.wrapper.visit(self)

    def on_visit(self, node: cst.CSTNode) -> bool:
        position = self.get_metadata(PositionProvider, node, None)
        self.line = position.start.line if position else self.line
        # Nodes that have no effect while the code runs, or whose mutants cannot even be imported.
        if isinstance(node, cst.Annotation | cst.Decorator | cst.Import | cst.ImportFrom):
            return False
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                tree = self.wrapper.module
                self.found += [Mutant(self.module, self.line, tree, node, mutated) for mutated in operator(node)]
        return True


def tracked(pattern: str) -> list[str]:
    """Return the files that git tracks, or would, whose path matches a pattern."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", pattern]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


def imported(path: str) -> set[str]:
    """Return the names that a test file imports: modules, and the names imported from them."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


class Tests:
    """Which test files a module's mutants meet; derived from the tree and a run without mutants."""

    def __init__(self) -> None:
        self.imports = {path: imported(path) for path in tracked("tests/**/test_*.py") if not path.startswith(LEFT_OUT)}
        self.seconds: dict[str, float] = {}
        # By test file: the product's modules that it loads, and those whose text it reads.
        self.loads: dict[str, set[str]] = {}
        self.reads: dict[str, set[str]] = {}

    def keep(self, path: Path) -> None:
        """Save, as JSON, how long each test file takes and which modules it loads and reads, for the next run."""
        kinds = {"loads": self.loads, "reads": self.reads}
        lists = {kind: {file: sorted(modules) for file, modules in by.items()} for kind, by in kinds.items()}
        path.write_text(json.dumps({"files": list(self.imports), "seconds": self.seconds, **lists}, indent=1))

    def take(self, path: Path) -> None:
        """Load the measurements that `keep` saved.

        A test file that was added since has none: it meets only mutants of the modules that its own folder tests.
        """
        kept = json.loads(path.read_text())
        failed = set(kept["seconds"]) - set(kept["files"])
        self.imports = {file: names for file, names in self.imports.items() if file not in failed}
        self.seconds = kept["seconds"]
        self.loads, self.reads = ({file: set(by[file]) for file in by} for by in (kept["loads"], kept["reads"]))

    def first(self, module: str) -> list[str]:
        """Return the test files that a module's mutants meet first, the quickest of them within `ROOM_SECONDS`.

        These are the files that import the module in the folder of `tests` that mirrors the module's package. If no
        file there imports the module, they are those that load it through another module.
        """
        room = [path for path in self.imports if path.startswith(f"tests/{Path(module).parent}/")]
        if not room:  # a package without tests: take those of the package that contains it
            room = [path for path in self.imports if path.startswith(f"tests/{Path(module).parents[1]}/")]
        knows = [path for path in room if module in self.loads.get(path, ())]
        return self._quickest([path for path in room if self._uses(path, module)] or knows or room, ROOM_SECONDS)

    def others(self, module: str) -> list[str]:
        """Return the test files that its mutants meet next: other ones that load the module or read its text."""
        first = self.first(module)
        knows = [path for path in self.imports if module in self.loads.get(path, set()) | self.reads.get(path, set())]
        return self._quickest([path for path in knows if path not in first], OTHERS_SECONDS)

    def _uses(self, path: str, module: str) -> bool:
        return module.removesuffix(".py").removesuffix("/__init__").replace("/", ".") in self.imports[path]

    def _quickest(self, paths: list[str], most: float) -> list[str]:
        """Return test files, the quickest first, that take at most `most` seconds together; always at least one."""
        ordered = sorted(paths, key=lambda path: self.seconds.get(path, 0.0))
        sums = itertools.accumulate(self.seconds.get(path, 0.0) for path in ordered)
        return [
            path
            for number, (path, seconds) in enumerate(zip(ordered, sums, strict=True))
            if seconds <= most or not number
        ]


def copy_of_tree(folder: Path) -> Path:
    """Copy what git tracks, or would."""
    for name in tracked("*"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def _test(folder: str, files: list[str], report: str | None) -> None:
    """Run tests in a copy of the tree; for a separate process, which ends with pytest's exit status."""
    os.setsid()
    os.chdir(folder)
    os.environ["PYTHONPATH"] = folder
    sys.path.insert(0, folder)
    with open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
    opened: set[str] = set()
    sys.addaudithook(lambda event, told: opened.add(str(told[0])) if event == "open" else None)
    import pytest

    options = ["-q", "-x", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of plugins that are loaded already
    status = int(pytest.main([*options, *files]))
    if report:
        loaded = {str(getattr(module, "__file__", None)) for module in list(sys.modules.values())}
        found = {"loads": loaded, "reads": opened - loaded}
        Path(report).write_text(json.dumps({kind: _of_product(folder, paths) for kind, paths in found.items()}))
    os._exit(status)


def _of_product(folder: str, paths: set[str]) -> list[str]:
    inside = [path.removeprefix(f"{folder}/") for path in paths if path.endswith(".py")]
    return sorted(path for path in inside if path.startswith(PRODUCT))


def run_tests(folder: Path, files: list[str], limit: float, report: Path | None = None) -> int | None:
    """Return pytest's exit status, None if pytest was killed after `limit` seconds."""
    asked = (str(folder), files, str(report) if report else None)
    process = get_context("forkserver").Process(target=_test, args=asked)
    process.start()
    process.join(limit)
    if process.exitcode is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.join()
        return None
    return process.exitcode


def types_agree(folder: Path) -> bool:
    """Return whether the type checker, which remembers what it knows of the copy, finds nothing."""
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=folder, capture_output=True)
    return done.returncode == 0


class Copies:
    """Copies of the tree, one for each worker."""

    def __init__(self, folder: Path, tests: Tests, number: int):
        self.tests = tests
        self.endless: list[Mutant] = []  # mutants whose tests were killed because they took too long
        self.free: Queue[Path] = Queue()
        for copy in range(number):
            self.free.put(copy_of_tree(folder / str(copy)))

    def measure(self, path: str) -> None:
        """Run a test file without mutants. If it fails in a copy of the tree, say so and leave it out."""
        folder = self.free.get()
        report = folder / "modules.json"
        started = time.monotonic()
        status = run_tests(folder, [path], 900, report)
        self.tests.seconds[path] = time.monotonic() - started
        if report.exists():
            found = json.loads(report.read_text())
            self.tests.loads[path], self.tests.reads[path] = set(found["loads"]), set(found["reads"])
            report.unlink()
        self.free.put(folder)
        if status not in (0, NO_TESTS):
            del self.tests.imports[path]
            print(f"{path} does not pass in a copy of the tree, and is left out", flush=True)

    def survives(self, mutant: Mutant) -> bool:
        """Return whether all tests pass with this bug, and the type checker too."""
        folder = self.free.get()
        path = folder / mutant.module
        try:
            path.write_text(mutant.text(), encoding="utf-8")
            return (
                types_agree(folder)
                and self._passes(folder, mutant, self.tests.first(mutant.module))
                and self._passes(folder, mutant, self.tests.others(mutant.module))
            )
        finally:
            path.write_text(mutant.tree.code, encoding="utf-8")
            self.free.put(folder)

    def _passes(self, folder: Path, mutant: Mutant, files: list[str]) -> bool:
        if not files:
            return True
        limit = SLOWER * sum(self.tests.seconds.get(file, 0.0) for file in files) + MORE_SECONDS
        status = run_tests(folder, files, limit)
        if status is None:
            self.endless.append(mutant)
        return status in (0, NO_TESTS)


class Noticed:
    """The file of the mutants that tests noticed; a mutant is known by its module and the lines that it changes."""

    def __init__(self, path: Path):
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.lines = set(path.read_text(encoding="utf-8").splitlines()) if path.exists() else set()

    def add(self, mutant: Mutant) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(self._line(mutant) + "\n")

    def __contains__(self, mutant: Mutant) -> bool:
        return self._line(mutant) in self.lines

    def _line(self, mutant: Mutant) -> str:
        return json.dumps([mutant.module, mutant.line, mutant.difference()])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=420, help="mutants drawn from all modules together")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--only", default="", help="modules whose path holds this text")
    parser.add_argument("--workers", type=int, default=2, help="mutants tested at the same time")
    told = "what keeps the measured times and the noticed mutants for the next run (default: nothing is kept)"
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help=told)
    arguments = parser.parse_args()
    modules = [module for module in tracked("*.py") if module.startswith(PRODUCT) and arguments.only in module]
    every = [mutant for module in modules for mutant in Mutations(module).found]
    drawn = random.Random(arguments.seed).sample(every, min(arguments.sample, len(every)))
    drawn.sort(key=lambda mutant: (modules.index(mutant.module), mutant.line))
    os.environ["OMP_NUM_THREADS"] = "1"
    get_context("forkserver").set_forkserver_preload(LIBRARIES)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(arguments.workers) as pool:
        kept = arguments.keep or Path(folder)
        tests, noticed = Tests(), Noticed(kept / "noticed.jsonl")
        copies = Copies(Path(folder), tests, arguments.workers)
        if (kept / "tests.json").exists():
            tests.take(kept / "tests.json")
        else:
            list(pool.map(copies.measure, list(tests.imports)))
            tests.keep(kept / "tests.json")
        survived = []
        asked = [mutant for mutant in drawn if mutant not in noticed]
        for number, (mutant, lives) in enumerate(zip(asked, pool.map(copies.survives, asked), strict=True), 1):
            print(f"{number} of {len(asked)}", file=sys.stderr, flush=True)
            if lives:
                survived.append(mutant)
                print(f"\n{mutant.module}:{mutant.line}\n{mutant.difference()}", flush=True)
            else:
                noticed.add(mutant)
    of_all, of_drawn, living = (
        Counter(str(Path(mutant.module).parent) for mutant in group) for group in (every, drawn, survived)
    )
    print(f"\n{len(modules)} modules\n\n| room | mutants | drawn | killed | survived |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for room, number in sorted(of_all.items()):
        killed = of_drawn[room] - living[room]
        print(f"| {room} | {number} | {of_drawn[room]} | {killed} | {living[room]} |")
    share = 1 - len(survived) / len(drawn)
    print(f"| all | {len(every)} | {len(drawn)} | {len(drawn) - len(survived)} ({share:.1%}) | {len(survived)} |")
    print(f"\nEndless, as far as one could wait: {', '.join(f'{m.module}:{m.line}' for m in copies.endless) or 'none'}")


if __name__ == "__main__":
    main()
