"""A term, played through.

A course is made, a lesson handed out, work taken in on five ways and in three languages, graded, an exam mended, an
essay read by a person, marks and feedback given back; and the workbook is as it was before.
"""

import csv
import io
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder import mistakes
from autograder.common.paths import ROOT
from autograder.course import new
from autograder.examine.keys import exam_hash
from autograder.exams.exam import exams_of
from autograder.gradebook import converters, grade
from autograder.gradebook.books import StudentMarks, standings
from autograder.gradebook.log import read_log
from autograder.gradebook.state import Done
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson, write_notebook
from autograder.reports import report
from autograder.reports.export import export
from autograder.reports.status import status
from tests.helpers.typed import nbgrader, run, workbook

LESSON = "attention"
ATTENTION = Lesson.load(LESSON)
ESSAY = next(iter(ATTENTION.essays))
NOW = datetime.now(timezone.utc).replace(microsecond=0)
DUE = NOW - timedelta(hours=1)
STUDENTS = """\
id,first_name,last_name,email,lms_user_id,names
ada,Ada,Lovelace,ada@uni.edu,,
bob,Bob,Groß,bob@uni.edu,,
s3,Dan,O’Brien,dan@uni.edu,,Dan O'Brien
s4,明,李,li@uni.edu,777,
s5,Fay,Late,fay@uni.edu,,fay
s6,Guy,Gone,guy@uni.edu,,
s7,Hal,Cut,hal@uni.edu,,
"""
EXTENSIONS = f"id,lesson,due,excused\nada,{LESSON},{NOW + timedelta(days=1):%Y-%m-%d %H:%M} UTC,\ns4,,,yes\n"


def changes_of_the_workbook() -> str:
    return subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True).stdout


def zipped(path: Path, name: str, notebook: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, write_notebook(notebook))


def page(path: Path) -> str:
    return " ".join(
        re.sub(r"<style.*?</style>|<[^>]+>", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL).split()
    )


def graded(course: Path, *, force: bool = False) -> dict[str, StudentMarks]:
    """Grade as the command does, in this process."""
    summary = grade.grade(LESSON, course=course, force=force)
    assert not summary.failed
    converters.feedback(course, LESSON)
    converters.settle(course, Done(course, LESSON), feedback=True)
    return standings(course, LESSON)


def test_a_term(tmp_path, store, monkeypatch):
    before = changes_of_the_workbook()
    course, exchange = tmp_path / "term", tmp_path / "exchange"

    def said_by(*words: str) -> str:
        done = workbook(course, *words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def typed(*words: str) -> str:
        done = nbgrader(course, *words)
        assert done.returncode == 0, done.stderr
        return done.stderr

    def student(name: str, *words: str) -> Path:
        home = tmp_path / name
        home.mkdir(exist_ok=True)
        where = ["--course", "dl-26", f"--Exchange.root={exchange}", f"--Exchange.cache={home / 'cache'}"]
        done = run(home, sys.executable, str(ROOT / "tests" / "helpers" / "as_student.py"), name, *words, *where)
        assert done.returncode == 0, done.stderr
        return home / LESSON

    # A course of one's own, in French.
    new.make(course, "dl-26", "fr", exchange=exchange)
    with (course / "nbgrader_config.py").open("a") as file:
        file.write('c.ExchangeCollect.check_owner = False\nc.LatePolicy.rule = "10 % a day, grace 15 min"\n')
    (course / "students.csv").write_text(STUDENTS.replace(",", ";"), encoding="utf-8-sig")  # as a French Excel does
    (course / "extensions.csv").write_text(EXTENSIONS, encoding="utf-8")
    said = said_by("open", LESSON, "--due", f"{DUE:%Y-%m-%d %H:%M:%S} UTC")
    assert "Students: 7 in students.csv, 1 of them excused." in said and "Exchange: released in" in said

    # Ada fetches it and hands it in, in French, within her extension; Bob an English one with a mistake, late.
    mistake = next(one for one in mistakes.load(ATTENTION).values() if one.cell == "self_attention")
    wrong = {mistake.cell: mistakes.code_of(ATTENTION, mistake)}
    folder = student("ada", "fetch_assignment", LESSON)
    fetched = nbformat.read(folder / f"{LESSON}.ipynb", as_version=4)
    solved = {cell.metadata.nbgrader.grade_id: cell for cell in compose(ATTENTION).cells if "nbgrader" in cell.metadata}
    for cell in fetched.cells:
        if "nbgrader" in cell.metadata and cell.metadata.nbgrader.solution:
            cell.source = solved[cell.metadata.nbgrader.grade_id].source
    nbformat.write(fetched, folder / f"{LESSON}.ipynb")
    student("ada", "submit", LESSON)
    folder = tmp_path / "bob" / LESSON
    folder.mkdir(parents=True)
    (folder / f"{LESSON}.ipynb").write_text(write_notebook(compose(ATTENTION, wrong)))
    student("bob", "submit", LESSON)

    # Three platforms' archives, and somebody whom nobody knows.
    archive = course / "downloaded" / LESSON / "archive"
    name = f"{LESSON}.ipynb"
    zipped(archive / "moodle.zip", f"Dan O'Brien_4711_assignsubmission_file_/{name}", compose(ATTENTION, blank=True))
    broken = f"Hal Cut_4712_assignsubmission_file_/{name}"
    with zipfile.ZipFile(archive / "moodle.zip", "a") as more:
        more.writestr(broken, '{"cells": [')
    zipped(archive / "canvas.zip", f"liming_LATE_777_888888_{LESSON}-1.ipynb", compose(ATTENTION, language="zh"))
    time = f"{DUE - timedelta(hours=2):%Y-%m-%d-%H-%M-%S}"
    zipped(archive / "blackboard.zip", f"{LESSON}_fay_attempt_{time}_{name}", compose(ATTENTION, wrong, language="fr"))
    (archive / f"eve_{name}").write_text(write_notebook(compose(ATTENTION, blank=True)))
    said = said_by("collect", LESSON)
    assert said.startswith("attention, from the exchange and archives: 7 new, 0 newer (ada, bob, eve, s3, s4, s5, s7);")
    assert "'eve' is not in students.csv" in said and "Late, says the platform, without saying when: 's4'" in said
    assert {one.name for one in (course / "submitted").iterdir()} == {"ada", "bob", "s3", "s4", "s5", "s7", "eve"}

    # Graded: the same work has the same mark in every language; who is late pays, unless excused.
    found = graded(course)
    automatic = sum(cell.points for cell in ATTENTION.of_role("test"))
    earned = {name: sum(one.scores.values()) for name, one in found.items()}
    assert earned["ada"] == earned["s4"] == automatic > earned["bob"] == earned["s5"] > earned["s3"] == 0
    assert {name for name, one in found.items() if one.seconds_late} == {"bob"}
    assert found["bob"].penalty == pytest.approx(0.1 * earned["bob"]) and found["ada"].penalty == 0
    assert found["s3"].no_time and not found["s5"].no_time and found["s4"].excused
    feedback = course / "feedback"
    assert "pas encore noté" in page(feedback / "s5" / LESSON / f"{LESSON}.html")
    assert "尚未评分" in page(feedback / "s4" / LESSON / f"{LESSON}.html")

    # The course moves to another place, with all that is in it.
    course = course.rename(tmp_path / "another disk")
    assert "Notebook: as before" in said_by("open", LESSON)
    assert "attention: nothing new, 6 unchanged." in said_by("grade", LESSON)

    # A person reads Ada's essay; then an exam turns out too strict, and loses the test that Bob failed.
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        mark = gradebook.find_grade(ESSAY, LESSON, LESSON, "ada")
        mark.manual_score, mark.needs_manual_grade = 2, False
        gradebook.find_comment(ESSAY, LESSON, LESSON, "ada").manual_comment = "Bien vu : $x < 7$."
        gradebook.db.commit()
    asked = exams_of(ATTENTION)[mistake.cell]
    (question,) = [one for one in read_log(course, LESSON, "bob")["questions"] if one["id"] == f"test_{mistake.cell}"]
    failed = [test["name"] for test in question["tests"] if not test["passed"]]
    strict = next(name for name in asked.tests if name in failed)
    with monkeypatch.context() as edited:
        edited.delitem(asked.tests, strict)
        exam_hash.cache_clear()  # a process reads an exam once
        after = graded(course, force=True)
    exam_hash.cache_clear()
    mended = {name: sum(one.scores.values()) for name, one in after.items()}
    assert mended["ada"] == earned["ada"] + 2 and mended["s4"] == earned["s4"]
    assert mended["bob"] == mended["s5"] != earned["bob"]
    assert ESSAY not in after["ada"].waiting and ESSAY in after["bob"].waiting

    # Given back by the exchange to those who used it; the others are named.
    assert "4 did not hand in by the exchange" in typed("release_feedback", LESSON)
    (given,) = student("ada", "fetch_feedback", LESSON).rglob("*.html")
    assert "Bien vu" in page(given) and "2 / 3" in page(given) and "<math" in given.read_text(encoding="utf-8")
    (given,) = student("bob", "fetch_feedback", LESSON).rglob("*.html")
    assert "Bien vu" not in page(given) and "Handed in late" in page(given)

    # Marks as the campus system reads them, and what is where.
    def table(system: str) -> Iterable[dict[str, str]]:
        return csv.DictReader(io.StringIO(export(course, ATTENTION, system), newline=""))

    points = {row["id"]: row for row in table("csv")}
    assert {name: row["state"] for name, row in points.items() if row["state"] != "waits"} == {
        "s3": "graded",
        "s4": "excused",
        "s6": "not handed in",
        "s7": "unreadable",
    }
    assert float(points["ada"]["points"]) == after["ada"].total == automatic + 2
    moodle = {row["ID number"]: row for row in table("moodle")}
    assert float(moodle["bob"][LESSON]) == pytest.approx(after["bob"].total, abs=0.01)
    assert moodle["s3"]["Last name"] == "O’Brien" and moodle["s4"][LESSON] == ""
    canvas = {row["SIS User ID"]: row for row in table("canvas")}
    assert canvas["s4"]["ID"] == "777" and canvas["s4"][LESSON] == "EX"
    (one,) = [one for one in status(course) if one.lesson == LESSON]
    assert (one.released, one.collected, one.graded, one.feedback, one.returned) == (True, 6, 5, 6, 2)
    assert (one.excused, one.missing, one.strangers, one.unreadable) == (1, 1, 1, 1)
    # Those who handed in by Moodle get their feedback there, the unreadable file's reason with it.
    assert "the feedback of 2 students" in said_by("feedback", LESSON, "--to", "moodle")
    with zipfile.ZipFile(course / f"{LESSON}-feedback-moodle.zip") as back:
        pages = {name.partition("_")[0]: back.read(name).decode() for name in back.namelist()}
    assert set(pages) == {"Dan O'Brien", "Hal Cut"} and "n'est pas un notebook" in pages["Hal Cut"].replace("’", "'")
    assert all(path.is_file() for path in report.write_report(course, ATTENTION))
    assert changes_of_the_workbook() == before
