"""The same marks from a Dask cluster: a run is a function, and any process may do it."""

import os
import subprocess
import sys

from autograder.common.paths import ROOT
from autograder.gradebook import books, grade
from autograder.lesson.text import Lesson
from autograder.proof.compose import compose, hand_in

LESSON = "attention"
ATTENTION = Lesson.load(LESSON)


def test_a_cluster_of_two_gives_the_same_marks(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    for course in (here, there):
        hand_in(compose(ATTENTION), course, "ada", LESSON)
        hand_in(compose(ATTENTION, blank=True), course, "blaise", LESSON)
    command = [
        sys.executable,
        "-m",
        "benchmarks.dask_cluster",
        "grade",
        LESSON,
        "--course",
        str(there),
        "--no-feedback",
    ]
    environment = os.environ | {"ATTENTION_WORKBOOK_STORE": str(tmp_path / "store"), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    grade.grade(LESSON, course=here)
    assert books.marks(there, LESSON) == books.marks(here, LESSON)


def test_a_scheduler_that_does_not_answer_is_one_sentence(tmp_path):
    hand_in(compose(ATTENTION), tmp_path, "ada", LESSON)
    command = [sys.executable, "-m", "autograder", "grade", LESSON, "--course", str(tmp_path)]
    environment = os.environ | {"ATTENTION_WORKBOOK_STORE": str(tmp_path / "store")}
    command += ["--scheduler", "tcp://127.0.0.1:9"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "The Dask scheduler tcp://127.0.0.1:9 does not answer" in done.stderr
    assert "Traceback" not in done.stderr
