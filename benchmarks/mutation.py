"""Do the tests bite? Bugs are put into the code one by one, and the tests must notice.

    python -m pip install --constraint constraints.txt --editable ".[mutation]"
    python -m benchmarks.mutation --sample 420 --seed 1     # results and reasons: mutation.md

The bugs are those of mutmut's operators: another number, text, operator or keyword, an argument left out, a value None.
mutmut's own runner is not used: it leaves constants of modules and decorated functions (properties, context managers)
as they are, its trampolines change the compiled code that keys of the store are made of, and it draws no sample.
Each mutant is written into a copy of the working tree and meets the tests named beside its module, nothing else.
"""

import argparse
import difflib
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
# Each module, and the test files that pin it, the quick ones first.
TESTS = {
    "autograder/examine/result.py": "result",
    "autograder/examine/outputs.py": "outputs",
    "autograder/examine/hashes.py": "key_contents keys",
    "autograder/examine/keys.py": "key_contents keys",
    "autograder/examine/store.py": "store",
    "autograder/gradebook/pages.py": "pages",
    "autograder/reports/report.py": "report terminal",
    "autograder/gradebook/state.py": "state",
    "autograder/reports/terminal.py": "terminal",
    "autograder/intake/archives.py": "archives collecting",
    "autograder/intake/folder.py": "folder",
    "autograder/intake/lms.py": "lms collecting",
    "autograder/intake/whose.py": "lms collecting",
    "autograder/intake/notebook.py": "mending intake intake_fuzz",
    "autograder/intake/plain.py": "mending intake intake_fuzz",
    "autograder/sandbox/inside/wire.py": "wire",
    "utils/captioning/cache.py": "captioning_search transformer",
    "utils/captioning/plots.py": "captioning_plots",
    "utils/captioning/search.py": "captioning_search transformer",
    "utils/common/bleu.py": "bleu",
    "utils/common/beam.py": "captioning_search translation_training beam",
    "utils/checks/engine/answer_key.py": "answer_key checks",
    "utils/checks/check.py": "question checks",
    "utils/checks/engine/naming.py": "question checks",
    "utils/checks/engine/observation.py": "observation checks",
    "utils/checks/engine/panel.py": "panel checks",
    "utils/checks/engine/question.py": "question observation checks",
    "utils/checks/engine/verdict.py": "question result checks",
    "utils/shapes1d/plots.py": "sequences_plots",
    "utils/translation/plots.py": "translation_plots",
    "utils/translation/scores.py": "translation_training seq2seq",
    "utils/translation/training.py": "translation_training seq2seq",
}
# Loaded once, before the mutants: what the tests import that is not ours.
LIBRARIES = ["torch", "numpy", "matplotlib.pyplot", "pytest", "hypothesis.extra.numpy", "rich.console", "sacrebleu"]
LIBRARIES += ["IPython", "jupytext", "nbgrader.apps.api", "nbgrader.converters", "nbgrader.preprocessors", "PIL.Image"]
# A mutant that makes the tests run so many times longer, and seconds more, is an endless loop: noticed.
SLOWER, MORE_SECONDS = 5, 20
# At once; the tests are single-threaded.
WORKERS = 2


@dataclass(frozen=True)
class Mutant:
    """A bug in a module: a node of its syntax tree, and another in its place."""

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
    """Collects every mutant of a module, in the order of its text."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, module: str):
        super().__init__()
        self.module, self.found, self.line = module, [], 0
        self.wrapper = MetadataWrapper(cst.parse_module((ROOT / module).read_text(encoding="utf-8")))
        self.wrapper.visit(self)

    def on_visit(self, node: cst.CSTNode) -> bool:
        position = self.get_metadata(PositionProvider, node, None)
        self.line = position.start.line if position else self.line
        # What has no meaning while the code runs, or breaks the module as soon as it is loaded.
        if isinstance(node, cst.Annotation | cst.Decorator | cst.Import | cst.ImportFrom):
            return False
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                tree = self.wrapper.module
                self.found += [Mutant(self.module, self.line, tree, node, mutated) for mutated in operator(node)]
        return True


def test_files(module: str) -> list[str]:
    return [f"tests/test_{name}.py" for name in TESTS[module].split()]


def copy_of_tree(folder: Path) -> Path:
    """Copy what git tracks, or would."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    for name in subprocess.run(listed, cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def _test(folder: str, files: list[str]) -> None:
    """Run tests in a copy of the tree; in a process of its own, which ends with pytest's exit status."""
    os.setsid()
    os.chdir(folder)
    os.environ["PYTHONPATH"] = folder
    sys.path.insert(0, folder)
    with open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
    import pytest

    options = ["-q", "-x", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of plugins that are loaded already
    os._exit(int(pytest.main([*options, *files])))


def run_tests(folder: Path, files: list[str], limit: float) -> int | None:
    """Return pytest's exit status, None where it was ended after `limit` seconds."""
    process = get_context("forkserver").Process(target=_test, args=(str(folder), files))
    process.start()
    process.join(limit)
    if process.exitcode is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.join()
        return None
    return process.exitcode


class Copies:
    """Copies of the tree, one for each worker, and how long a module's tests take in them."""

    def __init__(self, folder: Path):
        self.free: Queue[Path] = Queue()
        for number in range(WORKERS):
            self.free.put(copy_of_tree(folder / str(number)))
        self.seconds: dict[str, float] = {}

    def measure(self, module: str) -> None:
        """Run a module's tests as it is; they must pass."""
        folder = self.free.get()
        started = time.monotonic()
        status = run_tests(folder, test_files(module), 600)
        self.seconds[module] = time.monotonic() - started
        self.free.put(folder)
        if status != 0:
            raise SystemExit(f"The tests of {module} do not pass as they are: {' '.join(test_files(module))}.")

    def survives(self, mutant: Mutant) -> bool:
        """Return whether all tests pass with this bug."""
        folder = self.free.get()
        path = folder / mutant.module
        try:
            path.write_text(mutant.text(), encoding="utf-8")
            limit = SLOWER * self.seconds[mutant.module] + MORE_SECONDS
            return run_tests(folder, test_files(mutant.module), limit) == 0
        finally:
            path.write_text(mutant.tree.code, encoding="utf-8")
            self.free.put(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=420, help="mutants drawn from all modules together")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--only", default="", help="modules whose path holds this text")
    arguments = parser.parse_args()
    modules = [module for module in TESTS if arguments.only in module]
    every = [mutant for module in modules for mutant in Mutations(module).found]
    drawn = random.Random(arguments.seed).sample(every, min(arguments.sample, len(every)))
    drawn.sort(key=lambda mutant: (modules.index(mutant.module), mutant.line))
    os.environ["OMP_NUM_THREADS"] = "1"
    get_context("forkserver").set_forkserver_preload(LIBRARIES)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(WORKERS) as pool:
        copies = Copies(Path(folder))
        list(pool.map(copies.measure, dict.fromkeys(mutant.module for mutant in drawn)))
        survived = []
        for mutant, lives in zip(drawn, pool.map(copies.survives, drawn), strict=True):
            if lives:
                survived.append(mutant)
                print(f"\n{mutant.module}:{mutant.line}\n{mutant.difference()}", flush=True)
    of_all, of_drawn, living = (Counter(mutant.module for mutant in group) for group in (every, drawn, survived))
    print("\n| module | mutants | drawn | killed | survived |\n| --- | ---: | ---: | ---: | ---: |")
    for module in modules:
        killed = of_drawn[module] - living[module]
        print(f"| {module} | {of_all[module]} | {of_drawn[module]} | {killed} | {living[module]} |")
    share = 1 - len(survived) / len(drawn)
    print(f"| all | {len(every)} | {len(drawn)} | {len(drawn) - len(survived)} ({share:.1%}) | {len(survived)} |")


if __name__ == "__main__":
    main()
