"""`make siege`: whole classes graded while the grader is disturbed; then invariants are checked.

A class of thirty consists of ten honest submissions (the reference and correct variants), attacks, known mistakes and
damaged files, chosen at random; attacks are code of the corpus in `tests/attacks/`, and its changes to a notebook's
cells and metadata. It is graded twice: once undisturbed, and once while the grader is paused, its processes are killed,
and it is started again. Then every invariant must hold:

    honest      every honest submission has full marks in both gradings
    nothing     an attack on marks or on secrets with blank answers earns no point
    equal       every student has the same marks in both gradings
    clean       no process of the grader is left running
"""

import contextlib
import importlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import psutil

from autograder import mistakes
from autograder.common.course import WORKBOOK, Course
from autograder.common.paths import ROOT
from autograder.common.settings import STORE_FOLDER
from autograder.exams import reference
from autograder.gradebook import books
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson, write_notebook
from benchmarks.proof.verdicts import variants_of
from utils.checks.engine.source import defines
from utils.checks.own_code import OwnCode

CONFIG = "c = get_config()\nload_subconfig('nbgrader_config.py', path={root!r})\nc.CourseDirectory.root = {course!r}\n"
# Submissions of a class: honest, attacks, mistakes, damaged files.
SHARES = (10, 9, 7, 4)
# The most seconds between two disturbances; the seconds of a pause, the longest of which exceeds every time limit.
MOST_CALM, PAUSES = 6.0, (0.5, 3.0, 25.0)
# A grading that has not ended after so many starts counts as one that never ends.
MOST_STARTS = 40
# The file with a start's output, and the line in it on a student who was not graded.
OUTPUT = "output.txt"
NOT_GRADED = re.compile(r"Not graded: (\S+)")
Marks = dict[str, dict[str, float | None]]


@dataclass
class Round:
    """The result of one class: the disturbances, and the invariants that did not hold."""

    lesson: str
    seed: int
    disturbances: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    seconds: float = 0.0


def besiege(rounds: int, seconds: float, seed: int, jobs: int, tell: Callable[[str], None]) -> list[Round]:
    """Grade at most `rounds` classes, and begin none after `seconds`; return the results.

    seed: of the first class; each further class has the next number. tell: called with one line a class.
    """
    started, found = time.monotonic(), []
    for number in range(rounds):
        if time.monotonic() - started > seconds:
            break
        one = _round(seed + number, jobs)
        found.append(one)
        outcome = "; ".join(one.broken) or "all held"
        tell(f"{one.lesson}, seed {one.seed}: {len(one.disturbances)} disturbances, {one.seconds:.0f} s: {outcome}")
    return found


def _round(seed: int, jobs: int) -> Round:
    rng = random.Random(seed)
    lesson = Lesson.load(rng.choice(list(WORKBOOK.lessons)), WORKBOOK)
    one, started = Round(lesson.name, seed), time.monotonic()
    ours: set[psutil.Process] = set()  # every process of the grader that was ever seen
    with tempfile.TemporaryDirectory(prefix="siege-") as folder:
        calm, disturbed = Course(Path(folder, "calm")), Course(Path(folder, "disturbed"))
        honest, hopeless = _make_class(lesson, calm, random.Random(seed))
        _make_class(lesson, disturbed, random.Random(seed))
        _grade(lesson, calm, jobs, ours)
        one.disturbances += _grade(lesson, disturbed, jobs, ours, rng, refused=_not_graded(calm))
        expected, found = books.marks(calm, lesson.name), books.marks(disturbed, lesson.name)
    full = {cell.grade_id: cell.points for cell in lesson.of_role("test")}
    for name, marks in (("undisturbed", expected), ("disturbed", found)):
        for student in honest:
            earned = marks.get(student, {})
            lost = {question: earned.get(question) for question, most in full.items() if earned.get(question) != most}
            one.broken += [f"{student} lost points {name}: {lost}"] if lost else []
        for student in hopeless:
            gained = {question: marks.get(student, {}).get(question) for question in full}
            one.broken += [f"{student} gained {name}: {gained}"] if any(gained.values()) else []
    differ = sorted(student for student in expected | found if expected.get(student) != found.get(student))
    one.broken += [f"{student}: {expected.get(student)} became {found.get(student)}" for student in differ]
    psutil.wait_procs(ours, timeout=5)  # the sandboxes of a killed grader die a moment later
    if left := [process for process in ours if process.is_running()]:
        one.broken.append(f"left running: {', '.join(' '.join(_command(process)[:5]) for process in left)}")
        for process in left:
            _signal(process, signal.SIGKILL)
    one.seconds = time.monotonic() - started
    return one


# ---- the class ----------------------------------------------------------------------------------------------


def _make_class(lesson: Lesson, course: Course, rng: random.Random) -> tuple[list[str], list[str]]:
    """Create a class's submissions; return the honest students, and the attackers with blank answers.

    The same state of `rng` makes the same class.
    """
    course.folder.mkdir()
    (course / "nbgrader_config.py").write_text(CONFIG.format(root=str(ROOT), course=str(course.folder)))
    honest, attacking, mistaken, damaged = SHARES
    corpus = importlib.import_module("tests.attacks.corpus")
    # A question on the student's own code has other answers for another answer to the gap that it asks about.
    gaps = [check.gap.name for check in reference.checks_of(lesson).values() if isinstance(check, OwnCode)]
    variants = [path for path in variants_of(lesson) if not any(defines(path.read_text(), gap) for gap in gaps)]
    known = list(mistakes.load(lesson).values())
    attacks = [attack for attack in corpus.attacks() if attack.place != "answer"]
    changes = importlib.import_module("tests.attacks.notebooks").CHANGES
    malformed = sorted((ROOT / "tests" / "autograder" / "intake" / "malformed").glob("*.ipynb"))
    names, hopeless = [], []
    for number in range(honest):
        cells = {}
        for path in rng.sample(variants, k=min(number % 3, len(variants))):
            cells[path.stem.partition("__")[0]] = path.read_text(encoding="utf-8")
        names.append(f"honest{number}")
        hand_in(compose(lesson, cells), course, names[-1], lesson.name)
    for number in range(attacking):
        attack = rng.choice([*attacks, *changes])
        if attack in changes:
            hopeless.append(f"changed{number}-{attack.__name__}")
            changed = json.loads(write_notebook(compose(lesson, blank=True)))
            attack(changed)
            _hand_in_bytes(json.dumps(changed).encode(), course, hopeless[-1], lesson.name)
            continue
        student = f"attack{number}-{attack.name}"
        hopeless += [student] if attack.kind != "harm" else []
        notebook = compose(lesson, blank=attack.kind != "harm")
        notebook.cells.insert(0, nbformat.v4.new_code_cell(attack.code, id="attack"))
        hand_in(notebook, course, student, lesson.name)
    for number in range(mistaken):
        mistake = rng.choice(known)
        cells = {mistake.cell: mistakes.code_of(lesson, mistake)}
        hand_in(compose(lesson, cells), course, f"mistaken{number}-{mistake.id}", lesson.name)
    for number in range(damaged):
        _hand_in_bytes(_damaged(lesson, rng.choice([None, *malformed]), rng), course, f"damaged{number}", lesson.name)
    return names, hopeless


def _hand_in_bytes(content: bytes, course: Course, student: str, lesson_name: str) -> None:
    path = course / "submitted" / student / lesson_name / f"{lesson_name}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)


def _damaged(lesson: Lesson, malformed: Path | None, rng: random.Random) -> bytes:
    """Return the file `malformed`, or for None an honest submission with some bytes changed."""
    if malformed:
        return malformed.read_bytes()
    content = bytearray(json.dumps(compose(lesson)).encode())
    for _ in range(rng.randint(1, 30)):
        content[rng.randrange(len(content))] = rng.randrange(256)
    return bytes(content)


# ---- grading and disturbances --------------------------------------------------------------------------------


def _grade(
    lesson: Lesson,
    course: Course,
    jobs: int,
    ours: set[psutil.Process],
    rng: random.Random | None = None,
    refused: frozenset[str] | None = None,
) -> list[str]:
    """Run the instructors' command `grade` on the class until it succeeds; return the disturbances.

    ours: the grader's processes; changed in place. rng: chooses disturbances; None for none. refused: the students who
    may stay without marks; None if any student may. After a start without progress the time between disturbances is
    doubled, because a start that is killed too soon cannot finish anything.
    """
    done: list[str] = []
    calm = MOST_CALM
    command = [
        sys.executable,
        "-m",
        "autograder",
        "grade",
        lesson.name,
        "--course",
        str(course.folder),
        "--jobs",
        str(jobs),
    ]
    environment = os.environ | {STORE_FOLDER: str(course / ".grading" / "results"), "PYTHONPATH": str(ROOT)}
    for _ in range(MOST_STARTS):
        before = _progress(course)
        with (course / OUTPUT).open("w") as output:
            grader = subprocess.Popen(command, env=environment, cwd=course.folder, stdout=output, stderr=output)
        while grader.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                grader.wait(rng.uniform(0.2, calm) if rng else 1.0)
            family = _family(grader)
            ours.update(family)
            done += _disturb(family, rng) if rng and family else []
        status, left = grader.wait(), _not_graded(course)
        if status == 0 or (status == 1 and left and (refused is None or left <= refused)):
            return done
        done.append(f"ended with {status}")
        calm = MOST_CALM if _progress(course) > before else 2 * calm
    raise RuntimeError(f"Grading {course.folder} did not end in {MOST_STARTS} starts: {', '.join(done)}.")


def _not_graded(course: Course) -> frozenset[str]:
    """Return the students that the last start reports as not graded."""
    return frozenset(NOT_GRADED.findall((course / OUTPUT).read_text(encoding="utf-8")))


def _progress(course: Course) -> int:
    """Return how many files (results, and records of finished steps) the course's gradings have written."""
    return sum(len(files) for _, _, files in os.walk(course / ".grading"))


def _family(grader: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Return the grader and all its descendants; none when it has ended."""
    try:
        first = psutil.Process(grader.pid)
        return [first, *first.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _disturb(family: list[psutil.Process], rng: random.Random) -> list[str]:
    """Pause the grader (with or without its sandboxes), or kill one of its processes; return a description."""
    if rng.random() < 0.5:
        pause = rng.choice(PAUSES)
        ours = [process for process in family if "autograder_sandbox" not in " ".join(_command(process))]
        for process in rng.choice([family, ours]):
            _signal(process, signal.SIGSTOP)
        time.sleep(pause)
        for process in family:
            _signal(process, signal.SIGCONT)
        return [f"paused {pause:g} s"]
    victim = rng.choice(family)
    _signal(victim, signal.SIGKILL)
    return [f"killed {'the grader' if victim is family[0] else 'a process of it'}"]


def _signal(process: psutil.Process, number: int) -> None:
    with contextlib.suppress(psutil.Error):
        process.send_signal(number)


def _command(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []
