"""A course's own lesson is run by both doors before students get it: the students' and the grader's.

    students    the notebook with the reference in its gaps, in a folder with the wheel that the bundle hands out, where
                no package is found that students lack. No cell raises, no check fails; on each known mistake each check
                gives verdicts, and no error of its own
    grader      the same notebook in the sandbox, with each of the course's sets of inputs: the reference earns all
                points; with each known mistake, points are lost where the catalogue says so

`prove` runs both in a process with limits (`course/apart.py`), and remembers the lesson that has passed.
"""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from nbformat import NotebookNode

from autograder import mistakes
from autograder.common.course import MISTAKES
from autograder.common.errors import BuildError
from autograder.common.nodes import grade_id
from autograder.common.paths import write_whole
from autograder.common.toml import read_toml
from autograder.course import bundle, requirements
from autograder.course.apart import answer, place_of_cell, run_apart
from autograder.examine.hashes import course_hash, digest
from autograder.gradebook.secret import course_secret
from autograder.intake.notebook import take_in_bytes
from autograder.lesson.compose import compose
from autograder.lesson.setup import stamp, wheel_name
from autograder.lesson.text import TEST_PREFIX, Lesson, write_notebook
from autograder.mistakes import Mistake

if TYPE_CHECKING:  # imported inside functions, because it loads torch, and `workbook open` needs none of it
    from autograder.sandbox.parent import Sandbox

SCRIPT = Path(__file__).with_name("as_a_student.py")


def prove(lesson: Lesson) -> None:
    """Run an own lesson by both doors, unless nothing has changed since it passed. Raises: BuildError, one sentence."""
    if lesson.own is None:
        return
    note = lesson.course / ".grading" / "proved" / lesson.name
    state = digest(course_hash(lesson.name, lesson.course), lesson.course.version)
    if not note.is_file() or note.read_text(encoding="utf-8") != state:
        run_apart(__name__, lesson)
        write_whole(note, state)


def both(lesson: Lesson) -> None:
    """Run an own lesson by both doors. Raises: BuildError."""
    by_students(lesson)
    by_grader(lesson)


def own_mistakes(lesson: Lesson) -> list[Mistake]:
    """Return the mistakes in the catalogue of the course's part."""
    assert lesson.own
    path = lesson.own.source / MISTAKES
    ids = {entry["id"] for entry in read_toml(path).get("mistake", [])} if path.is_file() else set()
    return [mistake for mistake in mistakes.load(lesson).values() if mistake.id in ids]


# ---- the students' door ----------------------------------------------------------------------------------


def by_students(lesson: Lesson) -> None:
    """Run the notebook with the modules that are handed out, and nothing else. Raises: BuildError."""
    notebook = compose(lesson)
    stamp(notebook, lesson.course.version)
    cells = [(grade_id(cell) or cell.id, cell.source) for cell in notebook.cells if cell.cell_type == "code"]
    known = [
        {
            "id": mistake.id,
            "cell": mistake.cell,
            "source": mistakes.code_of(lesson, mistake),
            "tests": [name for name in mistake.loses if name in dict(cells)],
        }
        for mistake in own_mistakes(lesson)
    ]
    packages = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / wheel_name(lesson.course.version)).write_bytes(bundle.build_wheel(lesson.course))
        request = {"cells": cells, "mistakes": known, "hidden": sorted(not_students()), "paths": packages}
        (folder / "request.json").write_text(json.dumps(request), encoding="utf-8")
        command = [sys.executable, "-S", str(SCRIPT), "request.json", "answer.jsonl"]
        home = os.environ.get("HOME", scratch)  # where matplotlib keeps its list of fonts
        environment = {"HOME": home, "IPYTHONDIR": scratch, "OMP_NUM_THREADS": "1", "PATH": ""}
        environment |= {"ATTENTION_WORKBOOK_REHEARSAL": "1"}  # trainings are cut short
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
        answers = folder / "answer.jsonl"
        lines = answers.read_text(encoding="utf-8").splitlines() if answers.is_file() else []
        seen = [json.loads(line) for line in lines]
    for row in seen:
        if row["kind"] and not (row["mistake"] and row["kind"] == "CheckFailed"):
            _refuse(lesson, row["cell"], row["mistake"], f"{row['kind']}: {row['text']}")
    if done.returncode:
        last = seen[-1] if seen else {"cell": "", "mistake": ""}
        _refuse(lesson, last["cell"], last["mistake"], "Python ended, or the cell took too long")


def _refuse(lesson: Lesson, cell: str, mistake: str, why: str) -> None:
    made = f", with the mistake {mistake}" if mistake else ""
    place = place_of_cell(cell, lesson)
    said = f"on a student's computer, the cell {cell}{made} does not run ({why.rstrip('.')})."
    raise BuildError(f"{place}: {said}" if place else said)


@cache
def not_students() -> frozenset[str]:
    """Return the top-level modules of installed packages that are not among those which students have."""
    wanted = [re.split(r"[^\w.-]", line)[0] for line in requirements.for_students()[0].splitlines()]
    students: set[str] = set()
    while wanted:
        name = re.sub(r"[-_.]+", "-", wanted.pop()).lower()
        if name not in students:
            students.add(name)
            try:
                needed = importlib.metadata.requires(name) or []
            except importlib.metadata.PackageNotFoundError:
                continue
            wanted += [re.split(r"[^\w.-]", line)[0] for line in needed if "extra ==" not in line]
    owners = importlib.metadata.packages_distributions()
    mine = {module for module, names in owners.items() if students & {re.sub(r"[-_.]+", "-", n).lower() for n in names}}
    return frozenset({*owners, "autograder"} - mine - {"utils"})


# ---- the grader's door -----------------------------------------------------------------------------------


def by_grader(lesson: Lesson) -> None:
    """Grade the reference with each set of inputs, and each known mistake with one. Raises: BuildError."""
    from autograder.examine.work import SEEDS, seed_of
    from autograder.sandbox.parent import Sandbox

    secret = course_secret(lesson.course)
    seeds = [seed_of(secret, lesson.name, number) for number in range(SEEDS)]
    with Sandbox(lesson.course) as sandbox:
        for seed in seeds:
            for question, lost, why in graded(lesson, compose(lesson), sandbox, seed):
                if lost:
                    raise BuildError(f"When graded, the reference solution loses points in {question}. {why}.")
        for number, mistake in enumerate(own_mistakes(lesson)):
            notebook = compose(lesson, {mistake.cell: mistakes.code_of(lesson, mistake)})
            kept = {q for q, lost, _ in graded(lesson, notebook, sandbox, seeds[number % SEEDS]) if not lost}
            if spared := [name for name in mistake.loses if name.removeprefix(TEST_PREFIX) in kept]:
                raise BuildError(
                    f"When graded, the mistake {mistake.id} loses nothing in {', '.join(spared)}; add a test."
                )


def graded(lesson: Lesson, notebook: NotebookNode, sandbox: "Sandbox", seed: int) -> list[tuple[str, bool, str]]:
    """Return each code question of a notebook, whether it loses points, and the first test that fails, with the reason.

    The flag of a question whose exam went wrong says more than the sentence for the student.
    """
    from autograder.examine.examiner import run
    from autograder.examine.work import Work

    taken = take_in_bytes(write_notebook(notebook).encode(), lesson)
    work = Work(taken.notebook, lesson, sandbox.limits, seed=seed)
    result = work.result(run(work, sandbox, set(work.keys), alone=True).entries)
    rows = []
    for question in (question for question in result.questions if question.kind == "auto"):
        name, failed = question.id.removeprefix(TEST_PREFIX), [v for v in question.verdicts if not v.passed]
        why = f"In {name}.{failed[0].name}: {failed[0].reason}" if failed else "No test was run"
        flag = next((flag for flag in result.flags if flag.startswith(f"question {name} ")), why)
        rows.append((name, bool(failed) or not question.verdicts, flag.rstrip(".")))
    return rows


if __name__ == "__main__":
    answer(both, sys.argv[1:])
