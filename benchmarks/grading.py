"""Measures the cost of grading by stock nbgrader and by ours, with the same hidden tests, and compares the marks.

    python -m benchmarks.grading [--submissions 40] [--large 300] [--lessons attention ...]

Stock nbgrader runs each notebook in a new kernel, with the exams in that kernel (see `Question.__call__`). Cells that
only train and draw are left out for both, which favours stock nbgrader. CPU seconds are the sum over all processes,
from a control group (Linux, root), else from the system's account of child processes that have ended.
"""

import argparse
import itertools
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook

from autograder import mistakes
from autograder.common.course import WORKBOOK, Course
from autograder.common.paths import ROOT
from autograder.gradebook.secret import BYTES
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson, write_notebook
from benchmarks.proof.verdicts import variants_of

CGROUP = Path("/sys/fs/cgroup/cpuacct/attention-workbook")
OURS = """\
c = get_config()
load_subconfig("nbgrader_config.py", path={root!r})
c.CourseDirectory.root = {course!r}
"""
STOCK = """\
c = get_config()
c.CourseDirectory.root = {course!r}
c.Execute.timeout = 60
"""

# Keeps stock nbgrader from reading the environment's configuration, to which `autograder install` adds our steps.
WITHOUT_CONFIG = {"JUPYTER_NO_CONFIG": "1"}

# The marks of the tests, by student and test.
Marks = dict[str, dict[str, float]]


@dataclass
class Cost:
    """Seconds of processor time and by the clock."""

    cpu: float
    wall: float

    def of_each(self, number: int) -> "Cost":
        return Cost(self.cpu / number, self.wall / number)


def measured(command: list[str], course: Path, **environment: str) -> Cost:
    """Run a command and return its cost, including all processes that it starts."""
    pythons_folder = str(Path(sys.executable).parent)
    environment = os.environ | {
        "PATH": os.pathsep.join([pythons_folder, os.environ["PATH"]]),
        "PYTHONPATH": str(ROOT),
        "OMP_NUM_THREADS": "1",
        "ATTENTION_WORKBOOK_STORE": str(course / "store"),
        **environment,
    }
    grouped = os.getuid() == 0 and CGROUP.parent.is_dir()
    if grouped:
        CGROUP.mkdir(exist_ok=True)
        command = ["sh", "-c", f'echo $$ > {CGROUP}/cgroup.procs; exec "$@"', "sh", *command]
    usage = (lambda: int((CGROUP / "cpuacct.usage").read_text()) / 1e9) if grouped else (lambda: sum(os.times()[2:4]))
    before, started = usage(), time.monotonic()
    done = subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True)
    cost = Cost(usage() - before, time.monotonic() - started)
    if done.returncode:
        print(f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-2000:]}", file=sys.stderr)
    return cost


def mixed(lesson: Lesson, number: int) -> dict[str, dict]:
    """Return the answers of `number` students: in turn perfect, with a mistake, correct in another way, or empty."""
    wrong = itertools.cycle({m.cell: mistakes.code_of(lesson, m)} for m in mistakes.load(lesson).values())
    files = variants_of(lesson)
    variants = itertools.cycle({p.stem.partition("__")[0]: p.read_text(encoding="utf-8")} for p in files)
    kinds = itertools.cycle(["perfect", "wrong", "variant", "wrong", "blank", "wrong", "variant"])
    by_student = {}
    for index, kind in zip(range(number), kinds, strict=False):
        answers: dict = {"blank": True} if kind == "blank" else {}
        if kind in ("wrong", "variant"):
            answers["cells"] = next(wrong if kind == "wrong" else variants)
        by_student[f"student{index:03d}"] = answers
    return by_student


def make_course(folder: Path, lesson: Lesson, class_: dict[str, dict], config: str) -> None:
    """Write a course with a class's submissions; stock nbgrader's notebooks lack cells that only train and draw."""
    shown_only = lesson.shown_only

    def without_shown(notebook):
        notebook.cells = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") not in shown_only]
        return notebook

    folder.mkdir(parents=True)
    (folder / "nbgrader_config.py").write_text(config.format(root=str(ROOT), course=str(folder)))
    source = folder / "source" / lesson.name / f"{lesson.name}.ipynb"
    source.parent.mkdir(parents=True)
    stock = "Execute" in config
    instructor = lesson.to_instructors()
    source.write_text(write_notebook(without_shown(instructor) if stock else instructor), encoding="utf-8")
    for number, (student, answers) in enumerate(class_.items()):
        notebook = compose(lesson, **answers)
        for cell in notebook.cells:  # all submissions differ, because the store would grade equal ones only once
            if cell.metadata.get("nbgrader", {}).get("solution") and cell.cell_type == "code":
                cell.source += f"\n# {number}"
                break
        hand_in(without_shown(notebook) if stock else notebook, Course(folder), student, lesson.name)


def make_released(folder: Path, lesson: Lesson, class_: dict[str, dict], config: str) -> None:
    """Write a course whose lesson has been released. All courses that we grade have the same secret.

    With different secrets, their hidden tests would have different inputs, and a mistake that a test notices for most
    inputs, but not for all, could get different marks.
    """
    make_course(folder, lesson, class_, config)
    if config == OURS:
        (folder / ".grading").mkdir()
        (folder / ".grading" / "secret").write_text("0" * 2 * BYTES)
    environment = WITHOUT_CONFIG if config == STOCK else {}
    measured([sys.executable, "-m", "nbgrader", "generate_assignment", lesson.name], folder, **environment)


def automatic(course: Path, lesson: Lesson) -> Marks:
    """Return each student's marks by test, read with nbgrader's API, which also reads the stock course."""
    tests = {cell.grade_id for cell in lesson.of_role("test")}
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        return {
            submission.student.id: {
                grade.name: round(float(grade.score or 0), 2)
                for notebook in submission.notebooks
                for grade in notebook.grades
                if grade.name in tests
            }
            for submission in gradebook.assignment_submissions(lesson.name)
        }


def compare(lesson: Lesson, number: int, large: int, folder: Path) -> list[str]:
    """Grade a lesson's class in each way, and a large class in our way; return the table's rows."""
    class_ = mixed(lesson, number)
    python = [sys.executable, "-m"]
    stock, ours = folder / lesson.name / "stock", folder / lesson.name / "ours"
    make_released(stock, lesson, class_, STOCK)
    cost = measured([*python, "nbgrader", "autograde", lesson.name], stock, **WITHOUT_CONFIG)
    costs = {"stock nbgrader autograde": cost.of_each(number)}
    assert not (stock / ".grading").exists(), "stock has graded with our steps"
    command = [*python, "autograder", "grade", lesson.name, "--course", str(ours), "--no-feedback"]
    make_released(ours, lesson, class_, OURS)
    costs["ours, 1 worker"] = measured([*command, "--jobs", "1"], ours).of_each(number)
    if large:
        course = folder / lesson.name / "large"
        make_released(course, lesson, mixed(lesson, large), OURS)
        graded = measured([*python, "autograder", "grade", lesson.name, "--no-feedback"], course)
        costs[f"ours, 1 worker, {large} submissions"] = graded.of_each(large)
    costs["ours, again, unchanged"] = measured([*command, "--jobs", "1"], ours).of_each(number)
    for name, options in (("ours, 2 workers", ["--jobs", "2"]), ("ours, Dask, 2 workers", None)):
        again = folder / lesson.name / name.replace(" ", "-")
        make_released(again, lesson, class_, OURS)
        command = [*python, "autograder", "grade", lesson.name, "--course", str(again), "--no-feedback"]
        if options is None:
            command = [*python, "benchmarks.dask_cluster", *command[3:]]
        costs[name] = measured([*command, *(options or [])], again).of_each(number)
        assert not (other := different(automatic(again, lesson), automatic(ours, lesson))), f"{name} gave {other}"
    rows = []
    base = costs["stock nbgrader autograde"].cpu
    for name, cost in costs.items():
        ratio = f"1/{base / cost.cpu:.1f}" if cost.cpu else "–"
        rows.append(f"| {lesson.name} | {name} | {cost.cpu:.3f} | {ratio} | {cost.wall:.2f} |")
        print(rows[-1], flush=True)
    mine = automatic(ours, lesson)
    other = different(automatic(stock, lesson), mine)
    print(f"{lesson.name}: {len(other)} of {sum(map(len, mine.values()))} marks of stock differ", *other, sep="\n  ")
    return rows


def different(marks: Marks, ours: Marks) -> list[str]:
    """Return a line for each mark that differs from ours."""
    return [
        f"{student}: {test} {marks[student][test]:g}, ours {mark:g}"
        for student, tests in ours.items()
        for test, mark in tests.items()
        if marks[student][test] != mark
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--submissions", type=int, default=40)
    parser.add_argument("--lessons", nargs="*", default=list(WORKBOOK.lessons))
    parser.add_argument("--large", type=int, default=0, help="submissions of a class that only ours grades")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        number, large = options.submissions, options.large
        rows = [
            row for name in options.lessons for row in compare(Lesson.load(name, WORKBOOK), number, large, Path(folder))
        ]
    print(f"\n{options.submissions} submissions a lesson, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    print("| lesson | way | CPU-s a submission | of stock | wall s a submission |\n| --- | --- | --- | --- | --- |")
    print("\n".join(rows))
    shutil.rmtree(CGROUP, ignore_errors=True)


if __name__ == "__main__":
    main()
