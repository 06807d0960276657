"""A lesson of a class that hands in by every way there is: nobody may vanish, nobody may be mistaken for another.

The students' list is Moodle's export in French, after Excel; archives of six platforms, the exchange and mail arrive at
once, with names as the platforms write them, groups, and files under odd endings. Each notebook names its author, so
that each page of feedback and each row of a table can be compared with the person to whom it goes.
"""

import csv
import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from autograder.common.course import Course
from autograder.course import new
from autograder.gradebook import converters, opening
from autograder.gradebook import grade as grading
from autograder.gradebook.collecting import Collected, collect
from autograder.gradebook.roll import roll_of
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson, write_notebook
from autograder.reports import give_back
from autograder.reports.export import export

# Ways of handing in, with how many of 60 use each; a group has three members.
WAYS = {"moodle": 17, "moodle group": 9, "canvas": 12, "blackboard": 7, "brightspace": 3, "sakai": 3, "ilias": 3}
WAYS |= {"exchange": 3, "mail": 3}
FIRST = (
    "Ada",
    "Seán",
    "Mary Ann",
    "Jean-Pierre",
    "明",
    "Zoë",
    "Łukasz",
    "Awa",
    "Anne-Sophie",
    "José Luis",
    "小红",
    "Mehmet",
)
LAST = (
    "Lovelace",
    "O'Neil",
    "N’Diaye",
    "van der Berg",
    "李",
    "García Márquez",
    "de la Cruz",
    "Groß",
    "Świątek",
    "Le Goff",
)
BACK = {"moodle group": "moodle", "exchange": give_back.EXCHANGE}
MARK = "Handed in by "
HEAD = "Prénom;Nom de famille;Numéro d’identification;Adresse de courriel;Groupes"
SHEET = (
    "Identifiant;Nom complet;Adresse de courriel;Groupe;Statut;Note;Note maximale;Dernière modification (travail remis)"
)


@dataclass(frozen=True)
class Person:
    """A student: the id, the names, the way of handing in, the number on the platform, the group."""

    student: str
    first: str
    last: str
    way: str
    number: int
    group: str = ""

    @property
    def author(self) -> str:
        return self.group or self.student

    @property
    def email(self) -> str:
        return f"{self.student}@uni.edu"


@dataclass
class Played:
    """What a class of `number` has gone through, and what was wrong with it."""

    number: int
    collected: Collected
    complaints: list[str] = field(default_factory=list)
    back: dict[str, int] = field(default_factory=dict)


def people(number: int) -> list[Person]:
    """Return a class in which each way has its share, in an order drawn from a seed."""
    ways = [way for way, count in WAYS.items() for _ in range(max(3 if "group" in way else 1, count * number // 60))]
    names = random.Random(0).sample([(first, last) for first in FIRST for last in LAST], len(ways))
    found = []
    for n, (way, (first, last)) in enumerate(zip(ways, names, strict=True), start=1):
        group = f"Groupe {n // 3}_é" if "group" in way else ""
        found.append(Person(f"u{n:03d}", first, last, way, 4000 + n, group))
    return found


def place(person: Person, file: str) -> str:
    """Return the name of a person's file in the archive of the platform, as the platform writes it."""
    whole = re.sub(r"[\x00-\x1f&<>\"`|':\\/]", "", f"{person.first} {person.last}")  # Moodle's PARAM_FILE
    flat = re.sub(r"\W|_", "", f"{person.last}, {person.first}").lower()  # Canvas' content_zipper.rb
    n, team = person.number, re.sub(r"\D", "", person.group)
    return {
        "moodle": f"{whole}_{n}_assignsubmission_file_/{file}",
        "moodle group": f"{person.group.replace('_', ' ')}_9{team}_assignsubmission_file_/{file}",
        "canvas": f"{flat}{'_LATE' * (n % 3 == 0)}_{n}_{900_000 + n}_{file}",
        "blackboard": f"TP_3_{person.student}_attempt_2026-11-20-13-45-10_{file}",
        "brightspace": f"{n}-77 - {whole} - Nov 20, 2026 145 PM/{file}",
        "sakai": f"TP 3/{person.last}, {person.first}({person.student})/Submission attachment(s)/{file}",
        "ilias": f"TP 3/Abgaben/{person.last}_{person.first}_{person.student}_{n}/20261120134510_{file}",
        "mail": f"{person.student}_attention.ipynb",
    }[person.way]


def hand_in(course: Path, exchange: Path, class_: list[Person], notebook: Callable[[str], str]) -> None:
    """Write the list, the worksheet, the archives and the exchange's folders of a class."""
    lines = [f"{p.first};{p.last};{p.student};{p.email};{p.group}" for p in class_]
    (course / "students.csv").write_text("\n".join(["sep=;", HEAD, *lines]) + "\n", encoding="utf-8-sig")
    archive = course / "downloaded" / "attention" / "archive"
    archive.mkdir(parents=True)
    time = "vendredi 20 novembre 2026, 13:45"
    start = "Participant {};{};{};{};Remis;-;20,00;{}"
    times = {p.student: time if "moodle" in p.way else "-" for p in class_}
    rows = [start.format(p.number, f"{p.first} {p.last}", p.email, p.group, times[p.student]) for p in class_]
    (archive / "Notes.csv").write_text("\n".join([SHEET, *rows]) + "\n", encoding="utf-8-sig")
    endings = ("attention.ipynb", "attention (1).ipynb", "attention.ipynb.txt", "devoir.ipynb.json")
    for way in WAYS.keys() - {"exchange", "mail"}:
        with zipfile.ZipFile(archive / f"{way}.zip", "w") as packed:
            for number, person in enumerate(p for p in class_ if p.way == way):
                name = place(person, endings[0] if person.group else endings[number % len(endings)])
                if name not in packed.namelist():  # a group hands in once
                    packed.writestr(name, notebook(person.author))
                    packed.writestr(name.replace(".ipynb", ".png").replace("/attention", "/picture"), "picture")
    for person in class_:
        if person.way == "mail":
            (archive / place(person, "")).write_text(notebook(person.author), encoding="utf-8")
        elif person.way == "exchange":
            folder = exchange / "dl" / "inbound" / f"{person.student}+attention+2026-11-20 13:45:10.000000 UTC+x"
            folder.mkdir(parents=True)
            (folder / "attention.ipynb").write_text(notebook(person.author), encoding="utf-8")
            (folder / "timestamp.txt").write_text("2026-11-20 13:45:10.000000 UTC")
            (folder / "submission_secret.txt").write_text("0123456789abcdef" * 8)


def play(
    folder: Path, number: int, lesson: Lesson, notebook: Callable[[str], str], grade: Callable[[Course], None]
) -> Played:
    """Play a term's lesson in a folder: `grade` opens the lesson before the first, and grades after collecting."""
    exchange = folder / "exchange"
    new.make(folder / "course", "dl", "fr", exchange=exchange)
    course, class_ = Course(folder / "course"), people(number)
    with (course / "nbgrader_config.py").open("a") as config:
        config.write("\nc.ExchangeCollect.check_owner = False\n")  # one user writes all folders here
    hand_in(course.folder, exchange, class_, notebook)
    played = Played(len(class_), collect(course, "attention"))
    grade(course)
    played.complaints += [
        *_submitted(course, class_),
        *_tables(course, lesson, class_),
        *_given_back(course, lesson, class_, played.back),
    ]
    again = collect(course, "attention")
    played.complaints += [f"collected anew: {student}" for student in again.new + again.newer]
    return played


def _submitted(course: Course, class_: list[Person]) -> Iterator[str]:
    folders = {path.name for path in (course / "submitted").iterdir()}
    yield from (f"nobody of the class: {name}" for name in folders - {person.student for person in class_})
    for person in class_:
        path = course / "submitted" / person.student / "attention" / "attention.ipynb"
        if not path.is_file():
            yield f"vanished: {person}"
        elif f"{MARK}{person.author}." not in path.read_text(encoding="utf-8"):
            yield f"another's notebook: {person}"


def _tables(course: Course, lesson: Lesson, class_: list[Person]) -> Iterator[str]:
    marks = roll_of(course, "attention").marks()
    yield from (f"no mark: {person}" for person in class_ if person.student not in marks)
    plain = list(csv.DictReader(io.StringIO(export(course, lesson, "csv", language="fr")[1:]), delimiter=";"))
    if [row["id"] for row in plain] != [person.student for person in class_]:
        yield "the plain table does not have one line for each student"
    remarks: list[str] = []
    moodle = export(course, lesson, "moodle", remarks=remarks)
    for row, person in zip(csv.DictReader(io.StringIO(moodle)), class_, strict=True):
        if row["Note"] in ("", "-") or not row["Identifiant"].endswith(str(person.number)):
            yield f"no mark in Moodle's worksheet: {person}"
    yield from (remark for remark in remarks if "no row" in remark)


def _given_back(course: Course, lesson: Lesson, class_: list[Person], back: dict[str, int]) -> Iterator[str]:
    ways, numbers = give_back.ways(course, lesson), {person.number: person for person in class_}
    for person in class_:
        expected = BACK.get(person.way, person.way)
        expected = expected if expected in (*give_back.PLATFORMS, give_back.EXCHANGE) else give_back.MAIL
        if (way := ways.get(person.student, "")) != expected:
            yield f"goes back by {way!r}: {person}"
        back[way] = back.get(way, 0) + 1
    for platform in give_back.PLATFORMS:
        made = give_back.feedback_zip(course, lesson, platform)
        with zipfile.ZipFile(io.BytesIO(made.content)) as packed:
            if len(packed.namelist()) != back.get(platform):
                yield f"{len(packed.namelist())} pages for {platform}"
            for name in packed.namelist():
                number = re.search(r"_(\d+)_", name)
                student = numbers[int(number[1])].student if number and platform != "blackboard" else name.split("_")[2]
                page = course / "feedback" / student / "attention" / "attention.html"
                text = packed.read(name).decode()
                shown = (
                    json.loads(text)["cells"][0]["outputs"][0]["data"]["text/html"] if platform == "canvas" else text
                )
                if "".join(shown)[-200:-20].strip() not in page.read_text(encoding="utf-8"):
                    yield f"another's feedback: {name}"
    mailed = give_back.to_mail(course, lesson, course / "attention-feedback-mail")
    if len(mailed) != back.get(give_back.MAIL):
        yield f"{len(mailed)} pages by mail"


def solved(lesson: Lesson) -> Callable[[str], str]:
    """Return a function that makes the right notebook of a lesson with its author's name in it."""
    notebook = compose(lesson, language="fr")
    notebook.cells.append(nbformat.v4.new_markdown_cell(f"{MARK}AUTHOR.", id="author"))
    text = write_notebook(notebook)
    return lambda author: text.replace(f"{MARK}AUTHOR.", f"{MARK}{author}.")


def really(lesson: Lesson) -> Callable[[Course], None]:
    """Return the steps between collecting and the tables: the lesson is opened and graded, and feedback is written."""

    def grade(course: Course) -> None:
        for _ in opening.open_lesson(course, lesson):
            pass
        grading.grade(lesson.name, course=course)
        converters.feedback(course, lesson.name)

    return grade


def print_played(played: Played) -> None:
    """Print how many were collected and by which ways feedback goes back, and each complaint."""
    print(
        f"{played.number} students; {len(played.collected.new)} collected, {len(played.collected.strangers)} not known"
    )
    print("feedback: " + ", ".join(f"{number} by {way}" for way, number in sorted(played.back.items())))
    print("\n".join(played.complaints or ["nobody vanished, and nobody was mistaken for another"]))
