"""The published rules of ten courses, written in `course.toml`, against an independent calculation over a made-up term.

The product reads the rules from `course.toml`, keeps late days as extensions in nbgrader's gradebook, and has nbgrader
set the penalties. The calculation here reads nothing of that: each course's rule is a Python function beside its
`course.toml`, and late days are shared by trying all ways.
"""

import itertools
import math
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

from nbgrader.api import Gradebook

from autograder.common.course import WORKBOOK, Course
from autograder.common.paths import CONFIG_NAME, ROOT
from autograder.gradebook import books
from autograder.lesson.text import Lesson
from autograder.reports import term
from autograder.speed.gradebook import ask_alembic_here

LESSONS = ("attention", "captioning", "seq2seq", "gpt")
DUE = [datetime(2026, 10, 1, 22) + timedelta(weeks=3 * number) for number in range(4)]
MOST = {name: sum(c.points for c in Lesson.load(name, WORKBOOK).of_role("test", "essay")) for name in LESSONS}
# The points that a submission loses: its score, the hours after the due date, the most points of the lesson.
Penalty = Callable[[float, float, float], float]


def days(hours: float) -> int:
    return math.ceil(hours / 24)


@dataclass(frozen=True)
class Rules:
    """A course's published rules: where they are, as `course.toml`, and as a function; `remainder`: what is not there.

    own: late days that one lesson may get, if they differ from the others'.
    """

    name: str
    url: str
    toml: str
    lost: Penalty = lambda score, hours, most: score if hours > 0 else 0.0
    budget: int = 0
    each: int | None = None
    own: tuple[tuple[str, int], ...] = ()
    best: bool = False
    drop: int = 0
    remainder: str = ""

    def most_days(self, lesson: str) -> int:
        return dict(self.own).get(lesson, self.budget if self.each is None else self.each)


def _steps(*percent: float, end: float) -> Penalty:
    def lost(score: float, hours: float, most: float) -> float:
        if hours <= 0:
            return 0.0
        return score if hours > 24 * end else score * percent[min(days(hours), len(percent)) - 1] / 100

    return lost


def _of_all(share: float, cap: float, grace: float = 0.0, end: float = math.inf) -> Penalty:
    """Points of the whole lesson for each day: `share` of them, at most `cap`; hours of grace, days until the end."""

    def lost(score: float, hours: float, most: float) -> float:
        if hours <= grace:
            return 0.0
        return score if hours > 24 * end else min(score, most * min(cap, share * days(hours)))

    return lost


def _points(share: float, more: str) -> str:
    """Return the tables of `course.toml` with a rule in points of each lesson: `share` of them a day."""
    lines = (f'[{name}]\nlate = "{share * most:g} points a day{more}"' for name, most in MOST.items())
    return "\n".join(line.replace("HALF", f"{MOST[name] / 2:g}") for name, line in zip(MOST, lines, strict=True))


COURSES = (
    Rules("SFU CMPT 225, 2020", "https://coursys.sfu.ca/2020fa-cmpt-225-d1/pages/GraceDays.html",
          '[term]\nlate = "none after 0 days"\nlate_days = 5\nlate_days_go = "in order"', budget=5),
    Rules("Missouri S&T CS 2500, 2025", "https://sites.mst.edu/cs2500fs25/course-policies",
          '[term]\nlate = "20 % a day"\nlate_days = 8\nmost_late_days = 3\nlate_days_go = "in order"\n'
          "[gpt]\nmost_late_days = 4", lambda score, hours, most: score * min(1, 0.2 * days(max(0, hours))),
          budget=8, each=3, own=(("gpt", 4),)),
    Rules("Penn CIS 554, 2015", "https://www.cis.upenn.edu/~matuszek/cis554-2015/Pages/late-days.html",
          '[term]\nlate_days = 7\nlate_days_go = "in order"\n' + _points(0.05, ", cap HALF points"),
          _of_all(0.05, 0.5), budget=7),
    Rules("UNM CS 351, 2004", "http://www.cs.unm.edu/~terran/downloads/classes/cs351-s04/syl/node10.html",
          '[term]\nlate = "15 % a day"\nlate_days = 3\nlate_days_go = "best"',
          lambda score, hours, most: score * min(1, 0.15 * days(max(0, hours))), budget=3, best=True),
    Rules("CMU 15-415, 2015", "http://15415.courses.cs.cmu.edu/fall2015/policies.html",
          '[term]\nlate = "25 % a day"\nlate_days = 4\nlate_days_go = "in order"',
          lambda score, hours, most: score * min(1, 0.25 * days(max(0, hours))), budget=4),
    Rules("CMU 15-435, 2023", "https://cs.cmu.edu/~15435-f23/policies.html",
          '[term]\nlate = "none after 0 days"\nlate_days = 3\nmost_late_days = 2\nlate_days_go = "in order"',
          budget=3, each=2),
    Rules("CMU 11-642, 2025", "https://boston.lti.cs.cmu.edu/classes/11-642/Policy/late.html",
          '[term]\nlate = "0/10/15/20/25/30 % a day, none after 6 days"', _steps(0, 10, 15, 20, 25, 30, end=6)),
    Rules("CMU PnC", "https://www.cs.cmu.edu/~harchol/PnC/Notes/grading.html",
          '[term]\nlate = "none after 0 days"\ndrop_lowest = 1', drop=1),
    Rules("Colorado State CS 451", "http://www.cs.colostate.edu/~cs451/late-policy.html",
          _points(0.1, ", grace 10 min, cap HALF points, none after 5 days"), _of_all(0.1, 0.5, 1 / 6, 5)),
    Rules("JHU 601.229, 2019", "https://jhucsf.github.io/fall2019/notes/latedays.html",
          '[term]\nlate = "none after 0 days"\nlate_days = 5\nmost_late_days = 2\nlate_days_go = "in order"\n'
          '[attention]\nlate = "none after 2 days"\nmost_late_days = 0',
          budget=5, each=2, own=(("attention", 0),), remainder="5 % for each late day that is used"),
)  # fmt: skip


@dataclass(frozen=True)
class Work:
    """A submission of the made-up term: its score, and how late it is in hours; early ones are below 0."""

    score: float
    hours: float


def made_up(number: int, seed: int = 0) -> dict[str, dict[str, Work]]:
    """Return the submissions of a class by student and lesson; a tenth is missing, half are late."""
    drawn, class_ = random.Random(seed), dict[str, dict[str, Work]]()
    for student in (f"s{n:02}" for n in range(number)):
        works = {name: Work(round(MOST[name] * drawn.random() ** 0.3, 2), _lateness(drawn)) for name in LESSONS}
        class_[student] = {name: work for name, work in works.items() if drawn.random() > 0.1}
    return class_


def _lateness(drawn: random.Random) -> float:
    """Return hours, half of them before the due date; some are seconds away from a limit."""
    if drawn.random() < 0.5:
        return -drawn.random()
    return drawn.choice([1 / 12, 24, 48, 72, 144]) + drawn.choice([-1, 1]) * drawn.choice([1 / 3600, 5, 11])


def calculated(rules: Rules, works: dict[str, Work]) -> float:
    """Return a student's total of the term in percent, by the course's own words."""
    late = [name for name in LESSONS if name in works and works[name].hours > 0]

    def kept(name: str, used: int) -> float:
        work, lost = works[name], rules.lost
        if name == "attention" and rules.name.startswith("JHU"):
            lost = _steps(0, end=2)
        return work.score - lost(work.score, work.hours - 24 * used, MOST[name])

    ways = [way for way in itertools.product(*(range(min(rules.budget, rules.most_days(n)) + 1) for n in late))
            if sum(way) <= rules.budget]  # fmt: skip
    if rules.best:
        way = max(ways, key=lambda way: sum(kept(n, d) / MOST[n] for n, d in zip(late, way, strict=True)))
    else:  # what is due first takes what it needs, and a day that saves nothing is not used
        way = max(ways, key=lambda way: [(round(kept(n, d), 9), -d) for n, d in zip(late, way, strict=True)])
    used = dict(zip(late, way, strict=True))
    shares = sorted(kept(name, used.get(name, 0)) / MOST[name] if name in works else 0.0 for name in LESSONS)
    counted = shares[rules.drop :]
    return 100 * sum(counted) / len(counted)


def make_gradebook(folder: Path, class_: dict[str, dict[str, Work]]) -> None:
    """Make a course whose gradebook has the class's submissions, without penalties."""
    folder.mkdir(parents=True)
    config = f"c = get_config()\nload_subconfig({CONFIG_NAME!r}, path={str(ROOT)!r})\n"
    (folder / CONFIG_NAME).write_text(config)
    ask_alembic_here()
    (folder / "students.csv").write_text("id\n" + "\n".join(class_) + "\n")
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        for name, due in zip(LESSONS, DUE, strict=True):
            gradebook.add_assignment(name, duedate=cast(Any, due))
            gradebook.add_notebook(name, name)
            cell: dict[str, Any] = {"max_score": MOST[name], "cell_type": "code"}
            gradebook.add_grade_cell("test_all", name, name, **cell)
        for student, works in class_.items():
            gradebook.add_student(student)
            for name, work in works.items():
                time = DUE[LESSONS.index(name)] + timedelta(hours=work.hours)
                with gradebook.db.no_autoflush:
                    submission: Any = gradebook.add_submission(name, student)
                submission.timestamp = time
                (grade,) = gradebook.find_submission_notebook(name, name, student).grades
                grade.auto_score, grade.needs_manual_grade = work.score, False
        gradebook.db.commit()


def wrong(folder: Path, rules: Rules, class_: dict[str, dict[str, Work]]) -> Iterator[str]:
    """Yield a sentence for each student whose total by the product is not the calculated one."""
    (folder / "course.toml").write_text(rules.toml + "\n")
    course = Course(folder)
    for name in LESSONS[:1] if rules.budget else LESSONS:  # with late days, one call renews all lessons
        books.renew_penalties(course, name)
    for line in term.lines(term.columns(course), course):
        expected = calculated(rules, class_[line.student])
        if line.total is None or abs(line.total - expected) > 1e-6:
            yield f"{rules.name}: {line.student} has {line.total}, calculated {expected}: {class_[line.student]}"


def play(folder: Path, number: int, courses: tuple[Rules, ...] = COURSES) -> list[str]:
    """Play a made-up term of so many students under each course's rules; return what is wrong."""
    class_, complaints = made_up(number), list[str]()
    make_gradebook(folder / "term", class_)
    for count, rules in enumerate(courses):
        here = shutil.copytree(folder / "term", folder / str(count), symlinks=True)
        complaints += wrong(here, rules, class_)
    return complaints
