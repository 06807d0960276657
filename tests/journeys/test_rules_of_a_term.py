"""A term with a budget of late days, a group, an appeal and a lost gradebook; next term's course is made from it.

Everything is done by the commands that an instructor types. `test_term.py` plays what this term lacks: platforms, the
exchange, a course that moves, and an update.
"""

import csv
import io
import re
import zipfile
from datetime import datetime, timedelta, timezone

import pytest

from autograder import mistakes
from autograder.common.course import WORKBOOK, Course
from autograder.essays.marks import Booked
from autograder.gradebook.books import standings
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson, write_notebook
from autograder.marking import book
from tests.helpers.courses import edit
from tests.helpers.typed import workbook

pytestmark = pytest.mark.whole

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
ESSAY = next(iter(ATTENTION.essays))
NOW = datetime.now(timezone.utc).replace(second=0, microsecond=0)
DUE = NOW - timedelta(hours=30)
STUDENTS = """\
id,first_name,last_name,email,group
ada,Ada,Lovelace,ada@uni.edu,Team 1
bob,Bob,Stone,bob@uni.edu,Team 1
cy,Cy,Young,cy@uni.edu,
"""
RULES = '[term]\nlate_days = 2\nmost_late_days = 1\n\n[attention]\nlate = "10 % a day"\n'
HEAD = "Identifier,Full name,Email address,Group,Last modified (submission)\n"
ROW = 'Participant {},{},{}@uni.edu,{},"{:%A, %d %B %Y, %I:%M %p}"\n'


def test_a_term_with_its_rules(tmp_path, store):
    term = tmp_path / "term"

    def types(*words: str, fails: bool = False) -> str:
        done = workbook(term if term.is_dir() else tmp_path, *words, COLUMNS="200")
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    def marks() -> dict[str, float]:
        return {student: standing.total for student, standing in standings(Course(term), LESSON).items()}

    def feedback(student: str) -> str:
        page = (term / "feedback" / student / LESSON / f"{LESSON}.html").read_text(encoding="utf-8")
        return " ".join(re.sub(r"<style.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL).split())

    # ---- The course, its rules, and a class that hands in by Moodle: a team in time, and Cy six hours late.
    types("new", "term", "--name", "dl-26")
    (term / "students.csv").write_text(STUDENTS)
    (term / "course.toml").write_text(RULES)
    types("open", LESSON, "--due", f"{DUE:%Y-%m-%d %H:%M} UTC")
    mistake = next(one for one in mistakes.load(ATTENTION).values() if one.cell == "self_attention")
    wrong = {mistake.cell: mistakes.code_of(ATTENTION, mistake), ESSAY: "Because positions are not in the input."}
    archive = term / "downloaded" / LESSON / "archive"
    archive.mkdir(parents=True)
    (archive / "Grades.csv").write_text(
        HEAD
        + ROW.format(1, "Ada Lovelace", "ada", "Team 1", DUE - timedelta(hours=3))
        + ROW.format(2, "Bob Stone", "bob", "Team 1", DUE - timedelta(hours=3))
        + ROW.format(3, "Cy Young", "cy", "", DUE + timedelta(hours=26))
    )
    with zipfile.ZipFile(archive / "class.zip", "w") as file:
        name = f"{LESSON}.ipynb"
        file.writestr(f"Team 1_4_assignsubmission_file_/{name}", write_notebook(compose(ATTENTION, wrong)))
        file.writestr(f"Cy Young_3_assignsubmission_file_/{name}", write_notebook(compose(ATTENTION)))
    types("collect", LESSON)
    types("grade", LESSON)

    # ---- The team has one mark. Of Cy's 26 hours a day of the budget takes 24, and two cost a day's penalty.
    first = standings(Course(term), LESSON)
    assert first["ada"].total == first["bob"].total < first["cy"].total
    full = sum(cell.points for cell in ATTENTION.of_role("test"))
    assert first["cy"].penalty == pytest.approx(0.1 * full) and first["ada"].penalty == 0
    assert "Late days used here: 1" in feedback("cy") and "Late days" not in feedback("ada")

    # ---- A person marks the team's essay; Ada asks about the layer by the line that her feedback shows.
    with book.opened(f"sqlite:///{term / 'gradebook.db'}", LESSON) as gradebook:
        gradebook.write(ESSAY, {"ada": Booked(1.0, False, "Say why."), "bob": Booked(1.0, False, "Say why.")})
    assert f"APPEAL {LESSON} ada" in feedback("ada")
    (term / "appeals").mkdir(exist_ok=True)
    (term / "appeals" / "mail.txt").write_text(f"Hello,\nAPPEAL {LESSON} ada {mistake.cell}: My layer is right.\n")
    assert "Appeals without a decision, in regrades.csv: 1." in types("collect", LESSON)
    (row,) = csv.DictReader(io.StringIO((term / "regrades.csv").read_text()))
    assert (row["id"], row["points"], row["reason"]) == ("ada", "", "My layer is right.")
    before = marks()
    types("grade", LESSON)
    assert marks() == before  # nobody has decided yet
    edit(term / "regrades.csv", (",,My layer is right.,", ",3,My layer is right.,Half of it: see the scale."))
    types("grade", LESSON)
    decided = marks()
    assert decided["ada"] > decided["bob"] and "Half of it: see the scale." in feedback("ada")
    told = types("history", "ada", LESSON)
    assert "regrade" in told and "My layer is right." in told

    # ---- The gradebook is lost: nothing is graded over it, and everything comes back from the copy and the ledger.
    kept = (term / "ledger.jsonl").read_bytes()
    (term / "gradebook.db").unlink()
    assert "type: workbook restore" in types("grade", LESSON, fails=True)
    types("restore", "--yes")
    assert marks() == decided and (term / "ledger.jsonl").read_bytes().startswith(kept)
    types("grade", LESSON)
    assert marks() == decided

    # ---- Next term's course has the same rules; its dates are a year later, and none of the students.
    types("new", str(tmp_path / "next"), "--name", "dl-27", "--from", str(term), "--shift", "52w")
    following = Course(tmp_path / "next")
    assert following.settings.term.late_days == 2 and following.settings.term.most_late_days == 1
    assert not (tmp_path / "next" / "ledger.jsonl").exists() and not (tmp_path / "next" / "gradebook.db").exists()
    assert "ada" not in (tmp_path / "next" / "students.csv").read_text()
