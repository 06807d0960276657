"""`make demo`: makes twelve students' submissions of the first lesson, grades them, and shows the marks."""

import shutil

from autograder import mistakes
from autograder.common.course import Course
from autograder.common.paths import ROOT
from autograder.gradebook import converters, grade
from autograder.lesson.compose import Answers, compose, hand_in
from autograder.lesson.text import Lesson
from autograder.reports import after_grading, terminal

COURSE = Course(ROOT / "demo")
LESSON = "attention"

PATCHED = """
import torch
torch.allclose = lambda *args, **kwargs: True
torch.equal = lambda *args: True
"""
READS_GRADEBOOK = """
import glob, sqlite3
for path in glob.glob("../*.db") + glob.glob("/*/gradebook.db") + glob.glob("/*/*/gradebook.db"):
    print(sqlite3.connect(path).execute("select * from grade").fetchall())
print("no gradebook in sight")
"""
# The demonstration's course loads the workbook's configuration, but has its own folder and so its own gradebook.
CONFIG = f"""\
c = get_config()
load_subconfig("nbgrader_config.py", path={str(ROOT)!r})
c.CourseDirectory.root = {str(COURSE.folder)!r}
"""


def class_of_twelve(lesson: Lesson) -> dict[str, Answers]:
    """Return each student's answers: correct, with known mistakes, in Chinese, blank, and three attacks."""
    wrong: dict[str, str] = {}  # the code of the first known mistake of each cell
    for mistake in mistakes.load(lesson).values():
        wrong.setdefault(mistake.cell, mistakes.code_of(lesson, mistake))
    cells = list(wrong)
    first = next(iter(lesson.solutions))
    stub = f"def {first}(*args, **kwargs):\n    return 0\n"

    def mistaken(*numbers: int) -> Answers:
        """Return answers that are wrong in the cells with these numbers, and correct in the others."""
        return {"cells": {cells[n]: wrong[cells[n]] for n in numbers}}

    return {
        "ada": {},
        "blaise": mistaken(0),
        "carl": mistaken(1),
        "dorothy": mistaken(2),
        "emmy": mistaken(3),
        "felix": mistaken(-1),
        "grace": mistaken(0, -1),
        "hua": {"language": "zh"},
        "ines": {"blank": True},
        "janus": {"cells": {first: stub + PATCHED}},
        "kurt": {"cells": {first: "while True:\n    pass\n"}},
        "loki": {"cells": {first: READS_GRADEBOOK + stub}},
    }


def run(jobs: int) -> None:
    """Make the class in a fresh folder, grade it, and show marks and reasons."""
    shutil.rmtree(COURSE.folder, ignore_errors=True)
    COURSE.folder.mkdir()
    (COURSE / "nbgrader_config.py").write_text(CONFIG)
    lesson = Lesson.load(LESSON, COURSE)
    for student, answers in class_of_twelve(lesson).items():
        hand_in(compose(lesson, **answers), COURSE, student, LESSON)
    with terminal.bar() as on_step:
        summary = grade.grade(LESSON, course=COURSE, jobs=jobs, on_step=on_step)
    converters.feedback(COURSE, LESSON)
    after_grading.print_class(COURSE, lesson, summary)
    terminal.print_questions(COURSE, lesson)
    page = COURSE / "feedback" / "blaise" / LESSON / f"{LESSON}.html"
    print(f"Open one: {page}\nLook at all in formgrader: cd {COURSE} && ../.venv/bin/jupyter lab (Nbgrader menu)")
