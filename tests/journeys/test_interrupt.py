"""Killing the grader at any moment loses nothing: the same command again ends where an undisturbed run ends."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.paths import ROOT
from autograder.gradebook import books
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson

pytestmark = pytest.mark.whole

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
# Two moments in an ordinary run; ATTENTION_WORKBOOK_KILLS=20 for the long one.
KILLS = int(os.environ.get("ATTENTION_WORKBOOK_KILLS", "2"))
STUDENTS = ("ada", "blaise", "carl")


def make_course(folder: Path) -> Path:
    for number, student in enumerate(STUDENTS):
        hand_in(compose(ATTENTION, blank=number == 2), Course(folder), student, LESSON)
    return folder


def start(course: Path) -> subprocess.Popen:
    command = [sys.executable, "-m", "autograder", "grade", LESSON, "--course", str(course), "--no-feedback"]
    store = {"ATTENTION_WORKBOOK_STORE": str(course / "store"), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | store,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def outcome(course: Path) -> dict:
    cells = {}
    for student in STUDENTS:
        path = course / "autograded" / student / LESSON / f"{LESSON}.ipynb"
        cells[student] = [cell.get("outputs") for cell in json.loads(path.read_text())["cells"]]
    return {"marks": books.marks(Course(course), LESSON), "cells": cells}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> tuple[dict, float]:
    course = make_course(tmp_path_factory.mktemp("undisturbed"))
    started = time.monotonic()
    process = start(course)
    assert process.wait(timeout=300) == 0, process.stderr.read()
    process.stderr.close()
    return outcome(course), time.monotonic() - started


def test_killed_at_random_moments_nothing_is_lost(undisturbed, tmp_path):
    expected, seconds = undisturbed
    course = make_course(tmp_path / "course")
    moments = random.Random(KILLS)
    for _ in range(KILLS):
        process = start(course)
        time.sleep(moments.uniform(0.2, 1.0) * seconds)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()
    process = start(course)
    assert process.wait(timeout=300) == 0, process.stderr.read()
    process.stderr.close()
    assert outcome(course) == expected
