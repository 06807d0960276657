"""The whole term of a French course, by the commands that an instructor types, from an empty folder to the last page.

The workbook, the course and the exchange lie on one disk. Students hand in by the exchange, Moodle and Canvas, in three
languages. In the middle of the term all three move to another disk, and the workbook is updated there.
"""

import csv
import io
import re
import shutil
import sys
import zipfile
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import nbformat
import pytest

from autograder import mistakes
from autograder.common.course import WORKBOOK, Course
from autograder.common.paths import ROOT
from autograder.essays.marks import Booked
from autograder.exams.exam import exams_of
from autograder.gradebook.books import standings
from autograder.gradebook.log import read_log
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson, write_notebook
from autograder.marking import book
from tests.helpers.courses import edit
from tests.helpers.languages import english_lines
from tests.helpers.typed import nbgrader, run, workbook

pytestmark = pytest.mark.whole

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
ESSAY = next(iter(ATTENTION.essays))
GRADED = ATTENTION.of_role("test", "essay")
QUESTIONS, POINTS = len(GRADED), sum(cell.points for cell in GRADED)
# What a course needs of the workbook.
NEEDED = (
    "autograder",
    "utils",
    "source",
    "notebooks",
    "release",
    "nbgrader_config.py",
    "environment.yml",
    "pyproject.toml",
    "README.md",
    "constraints.txt",
)
NOW = datetime.now(timezone.utc).replace(second=0, microsecond=0)
DUE = NOW - timedelta(hours=1)
STUDENTS = """\
id,first_name,last_name,email,lms_user_id,names
ada,Ada,Lovelace,ada@uni.edu,,
bob,Bob,Groß,bob@uni.edu,,
dan,Dan,O’Brien,dan@uni.edu,,Dan O'Brien
hal,Hal,Cut,hal@uni.edu,,
li,明,李,li@uni.edu,777,
fay,Fay,Young,fay@uni.edu,778,
guy,Guy,Gone,guy@uni.edu,,
ida,Ida,Illness,ida@uni.edu,,
"""
EXTENSIONS = f"id,lesson,due,excused\nada,{LESSON},{NOW + timedelta(days=1):%Y-%m-%d %H:%M} UTC,\nida,,,oui\n"
COURSE = f"""\
[{LESSON}]
title = "Devoir 1 (12345)"
out_of = 20
"""
WORKSHEET = f"""\
Identifier,Full name,Status,Grade,Maximum Grade,Last modified (submission),Last modified (grade)
Participant 4711,Dan O'Brien,Submitted,,20.00,"{DUE - timedelta(hours=2):%A, %d %B %Y, %I:%M %p}",-
Participant 4712,Hal Cut,Submitted,,20.00,"{DUE - timedelta(hours=2):%A, %d %B %Y, %I:%M %p}",-
Participant 4713,Guy Gone,No submission,,20.00,-,-
"""


class Disk:
    """A folder with the workbook, a course and an exchange, and the commands that are typed there."""

    def __init__(self, folder: Path, heard: list[str]):
        self.folder, self.heard = folder, heard  # `heard`: what the workbook's commands have said
        self.workbook, self.course, self.exchange = (folder / name for name in ("workbook", "term", "exchange"))

    def moved(self, there: Path) -> "Disk":
        return Disk(self.folder.rename(there), self.heard)

    def types(self, *words: str, fails: bool = False) -> str:
        """Type `workbook …` in the course; return all that it says."""
        folder = self.course if self.course.is_dir() else self.folder
        done = workbook(folder, *words, PYTHONPATH=str(self.workbook), COLUMNS="160")
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        said = (done.stdout + done.stderr).replace("\u00a0", " ")
        self.heard.append(said)
        return said

    def nbgrader(self, *words: str) -> str:
        done = nbgrader(self.course, *words)
        assert done.returncode == 0, done.stderr
        return done.stderr

    def student(self, name: str, *words: str) -> Path:
        """Type `nbgrader …` as a student; return the student's folder of the lesson."""
        home = self.folder.parent / name
        home.mkdir(exist_ok=True)
        where = ["--course", "dl-26", f"--Exchange.root={self.exchange}", f"--Exchange.cache={home / 'cache'}"]
        command = [sys.executable, "-m", "tests.helpers.as_student", name, *words, *where]
        done = run(home, *command, PYTHONPATH=str(ROOT))
        assert done.returncode == 0, done.stderr
        return home / LESSON

    def table(self, system: str) -> list[dict[str, str]]:
        """Return the marks as they are written for a platform."""
        self.types("export", LESSON, "--to", system)
        text = (self.course / f"{LESSON}-{system}.csv").read_text("utf-8-sig")
        # The plain table is for a French Excel, the others for platforms.
        return list(csv.DictReader(io.StringIO(text), delimiter=";" if system == "csv" else ","))


def zipped(path: Path, files: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)


def words_of(page: Path) -> str:
    text = re.sub(r"<style.*?</style>|<[^>]+>", " ", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return " ".join(text.replace("’", "'").split())


def contents(places: Iterable[Path]) -> dict[Path, bytes]:
    """Return the contents of all files in these folders by path, less Python's caches, which any command may write."""
    files = [path for place in places for path in sorted(place.rglob("*.*")) if path.is_file()]
    return {path: path.read_bytes() for path in files if "__pycache__" not in path.parts}


def test_a_french_term(tmp_path, store):
    disk = Disk(tmp_path / "disk", [])
    for name in NEEDED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        disk.workbook.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, disk.workbook / name)

    # ---- An empty folder becomes a course; the list is as a French Excel writes it.
    disk.types("new", "term", "--name", "dl-26", "--language", "fr", "--exchange", "exchange")
    edit(disk.course / "nbgrader_config.py", ('LatePolicy.rule = ""', 'LatePolicy.rule = "10 % a day, grace 15 min"'))
    with (disk.course / "nbgrader_config.py").open("a") as file:
        file.write("c.ExchangeCollect.check_owner = False\n")  # one account plays all students
    (disk.course / "students.csv").write_text(STUDENTS.replace(",", ";"), encoding="utf-8-sig")
    (disk.course / "extensions.csv").write_text(EXTENSIONS, encoding="utf-8")
    (disk.course / "course.toml").write_text(COURSE, encoding="utf-8")
    said = disk.types("open", LESSON, "--due", f"{DUE:%Y-%m-%d %H:%M} UTC")
    assert "Étudiants : 8 dans students.csv, dont 1 avec dispense." in said and "échange : publié dans" in said
    assert f"Notebook : créé ; questions : {QUESTIONS}, points : {POINTS:g}, langue : fr." in said

    # ---- Ada and Bob use the exchange: she within her extension, he late and with a mistake, in English.
    folder = disk.student("ada", "fetch_assignment", LESSON)
    fetched = nbformat.read(folder / f"{LESSON}.ipynb", as_version=4)
    solved = {cell.metadata.nbgrader.grade_id: cell for cell in compose(ATTENTION).cells if "nbgrader" in cell.metadata}
    for cell in fetched.cells:
        if "nbgrader" in cell.metadata and cell.metadata.nbgrader.solution:
            cell.source = solved[cell.metadata.nbgrader.grade_id].source
    nbformat.write(fetched, folder / f"{LESSON}.ipynb")
    disk.student("ada", "submit", LESSON)
    mistake = next(one for one in mistakes.load(ATTENTION).values() if one.cell == "self_attention")
    wrong = {mistake.cell: mistakes.code_of(ATTENTION, mistake)}
    folder = tmp_path / "bob" / LESSON
    folder.mkdir(parents=True)
    (folder / f"{LESSON}.ipynb").write_text(write_notebook(compose(ATTENTION, wrong)))
    disk.student("bob", "submit", LESSON)

    # ---- The others use Moodle (one file is cut short) and Canvas (one is in nobody's list).
    archive, name = disk.course / "downloaded" / LESSON / "archive", f"{LESSON}.ipynb"
    blank = write_notebook(compose(ATTENTION, blank=True))
    zipped(
        archive / "moodle.zip",
        {
            f"Dan O'Brien_4711_assignsubmission_file_/{name}": blank,
            f"Hal Cut_4712_assignsubmission_file_/{name}": '{"cells": [',
        },
    )
    (archive / "Grades.csv").write_text(WORKSHEET, encoding="utf-8-sig")
    zipped(
        archive / "canvas.zip",
        {
            f"liming_LATE_777_888888_{LESSON}-1.ipynb": write_notebook(compose(ATTENTION, language="zh")),
            f"youngfay_778_888889_{name}": write_notebook(compose(ATTENTION, wrong, language="fr")),
            f"evening_779_888890_{name}": blank,
        },
    )
    said = disk.types("collect", LESSON)
    assert "par le dossier d'échange et les archives : nouvelles copies : 7, plus récentes : 0" in said, said
    assert "n'est pas dans students.csv" in said and "La plateforme signale un retard, sans dire l'heure : 'li'" in said

    # ---- Graded: the same work has the same mark in every language, and who is late pays.
    said = disk.types("grade", LESSON)
    found = standings(Course(disk.course), LESSON)
    automatic = sum(cell.points for cell in ATTENTION.of_role("test"))
    earned = {name: sum(one.scores.values()) for name, one in found.items()}
    assert earned["ada"] == earned["li"] == automatic > earned["bob"] == earned["fay"] > earned["dan"] == 0
    assert {name for name, one in found.items() if one.seconds_late} == {"bob"}
    assert found["bob"].penalty == pytest.approx(0.1 * earned["bob"]) and found["ada"].penalty == 0
    assert found["li"].no_time and not found["dan"].no_time
    assert "illisible" in said and "hal" in said, said

    # ---- A person marks Ada's essay, and leaves a comment.
    with book.opened(f"sqlite:///{disk.course / 'gradebook.db'}", LESSON) as marks:
        marks.write(ESSAY, {"ada": Booked(2.0, False, "Bien vu : $x < 7$.")})

    # ---- Workbook, course and exchange move; the configuration says where they were.
    before = disk.folder
    disk = disk.moved(tmp_path / "another disk")
    assert "Le cahier n'est pas dans" in disk.types("status", fails=True)
    edit(disk.course / "nbgrader_config.py", (str(before), str(disk.folder)))

    # ---- The workbook is updated: a question gets more points; a test that Bob failed is removed from the exam.
    (asked,) = [
        one for one in read_log(Course(disk.course), LESSON, "bob")["questions"] if one["id"] == f"test_{mistake.cell}"
    ]
    failed = {test["name"] for test in asked["tests"] if not test["passed"]}
    strict = next(name for name in exams_of(ATTENTION)[mistake.cell].tests if name in failed)
    with (disk.workbook / "source" / LESSON / "exam.py").open("a") as file:
        file.write(f"\ndel {mistake.cell}.tests[{strict!r}]\n")
    first = next(iter(ATTENTION.tests.values()))
    heading = f"# %% test {first.name} {{:g}}"
    edit(
        disk.workbook / "source" / LESSON / "lesson.py",
        (heading.format(first.points), heading.format(first.points + 2)),
    )
    updated = contents([disk.workbook / "source", disk.workbook / "autograder"])
    said = disk.types("open", LESSON)
    assert f"Barème modifié : test_{first.name} {first.points:g} → {first.points + 2:g}." in said
    assert (
        f"Notebook : refait ; questions : {QUESTIONS}, points : {POINTS + 2:g}, langue : fr." in said
        and "publié dans" in said
    )
    assert any((disk.exchange / "dl-26" / "outbound" / LESSON).glob("*.whl"))
    said = disk.types("grade", LESSON)
    after = standings(Course(disk.course), LESSON)
    mended = {name: sum(one.scores.values()) for name, one in after.items()}
    assert mended["ada"] == earned["ada"] + 2 + 2 and mended["li"] == earned["li"] + 2
    assert mended["bob"] == mended["fay"] > earned["bob"] + 2 and mended["dan"] == 0
    points = f"barème modifié : test_{first.name} {first.points:g} → {first.points + 2:g}"
    assert f"ada {earned['ada'] + 2:g} → {mended['ada']:g} ({points}" in said, said
    assert ESSAY not in after["ada"].waiting and ESSAY in after["bob"].waiting

    # ---- Feedback, by the way that each has used.
    assert "prendre le leur (4)" in disk.nbgrader("release_feedback", LESSON)
    (given,) = disk.student("ada", "fetch_feedback", LESSON).rglob("*.html")
    assert "Bien vu" in words_of(given) and "2 / 3" in words_of(given) and "<math" in given.read_text(encoding="utf-8")
    (given,) = disk.student("bob", "fetch_feedback", LESSON).rglob("*.html")
    assert "Bien vu" not in words_of(given) and "Handed in late" in words_of(given)
    assert "étudiants dont il contient le retour : 2" in disk.types("feedback", LESSON, "--to", "moodle")
    with zipfile.ZipFile(disk.course / f"{LESSON}-feedback-moodle.zip") as back:
        pages = {name.partition("_")[0]: back.read(name).decode().replace("’", "'") for name in back.namelist()}
    assert set(pages) == {"Dan O'Brien", "Hal Cut"} and "n'est pas un notebook" in pages["Hal Cut"]
    disk.types("feedback", LESSON, "--to", "canvas")
    with zipfile.ZipFile(disk.course / f"{LESSON}-feedback-canvas.zip") as back:
        assert set(back.namelist()) == {f"liming_LATE_777_888888_{LESSON}-1.ipynb", f"youngfay_778_888889_{name}"}
        assert "尚未评分" in back.read(f"liming_LATE_777_888888_{LESSON}-1.ipynb").decode()

    # ---- Marks out of 20, as each platform reads them.
    points = {row["id"]: row for row in disk.table("csv")}
    assert {name: row["state"] for name, row in points.items() if row["state"] != "waits"} == {
        "dan": "graded",
        "hal": "unreadable",
        "guy": "not handed in",
        "ida": "excused",
    }
    assert float(points["ada"]["points"]) == after["ada"].total == automatic + 4
    moodle = {row["Full name"]: row["Grade"] for row in disk.table("moodle")}
    assert moodle == {"Dan O'Brien": "0", "Hal Cut": "", "Guy Gone": ""}
    canvas = {row["SIS User ID"]: row["Devoir 1 (12345)"] for row in disk.table("canvas")}
    assert canvas["ida"] == "EX" and canvas[""] == "20" and "guy" not in canvas
    assert float(canvas["bob"]) == pytest.approx(after["bob"].total * 20 / (POINTS + 2), abs=0.01)

    # ---- Where everything stands, and the term's page; the workbook is as the update left it.
    lines = {
        line.split("│")[1].strip(): line.split("│")[2].strip()
        for line in disk.types("status").splitlines()
        if "│" in line
    }
    told = {name: lines[name] for name in ("dispensé", "non rendu", "absent de students.csv")}
    assert told == {"dispensé": "1", "non rendu": "1", "absent de students.csv": "1"}
    disk.types("report", LESSON, "--html")
    disk.types("report", LESSON)
    disk.types("term")
    disk.types("history", "ada")
    disk.types("restore")
    disk.types("try", LESSON, str(disk.course / "submitted" / "fay" / LESSON / name))
    assert len(left := english_lines(disk.heard)) < 20, left
    page = words_of(disk.course / "report" / "term.html")
    assert "Ada Lovelace" in page and "dispensé" in page and "evening" not in page
    assert contents([disk.workbook / "source", disk.workbook / "autograder"]) == updated
