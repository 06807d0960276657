"""Every file is accounted for: taken, refused with a reason, or asked about; nobody vanishes in another's folder."""

import json
import logging
import random

import pytest

from autograder.common.course import Course
from autograder.common.errors import CourseError
from autograder.intake.lms import LmsCollector, SafeExtractor
from autograder.intake.roster import Roster
from tests.helpers.collecting import LESSON, CollectingCourse, zipped

PEOPLE = {
    "u01": ("Ada", "Lovelace"),
    "u02": ("Alan", "Turing"),
    "u03": ("Grace", "Hopper"),
    "u04": ("Emmy", "Noether"),
    "u05": ("明", "李"),
    "u06": ("Seán", "O'Neil"),
}
STUDENTS = "id,first_name,last_name\n" + "".join(f"{u},{first},{last}\n" for u, (first, last) in PEOPLE.items())


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


# How each platform names the file of a student in its archive: id, first and last name, number, file.
LAYOUTS = {
    "moodle": lambda u, first, last, n, file: f"{first} {last}_{n}_assignsubmission_file_/{file}".replace("'", ""),
    "moodle, flat": lambda u, first, last, n, file: f"{first} {last}_{n}_assignsubmission_file_{file}".replace("'", ""),
    "canvas": lambda u, first, last, n, file: f"{letters(last + first)}_{n}_{900_000 + n}_{file}",
    "blackboard": lambda u, first, last, n, file: f"HW_3_a_{u}_attempt_2026-11-20-13-45-10_{file}",
    "brightspace": lambda u, first, last, n, file: f"{n}-77 - {first} {last} - Nov 20, 2026 145 PM/{file}",
    "sakai": lambda u, first, last, n, file: f"Homework 1/{last}, {first}({u})/Submission attachment(s)/{file}",
    "ilias": lambda u, first, last, n, file: f"HW/Abgaben/{last}_{first}_{u}_{n}/20261120134510_{file}",
    "by hand": lambda u, first, last, n, file: f"{u}/hw1/{file}",
}
NAMES = (
    "attention.ipynb",
    "attention (1).ipynb",
    "work.ipynb",
    "attention.ipynb.txt",
    "attention.ipynb.json",
    "attention",
)
NAMES += ("attention.html", "attention.py", "notes.txt", "picture.png", "data.csv", "my.zip", "bad.zip", "x.rar")
NOTEBOOK = json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture
def course(tmp_path, caplog) -> CollectingCourse:
    caplog.set_level(logging.INFO)
    course = CollectingCourse(tmp_path / "course")
    (course.root / "students.csv").write_text(STUDENTS, encoding="utf-8")
    return course


@pytest.fixture
def extractors(monkeypatch) -> list[SafeExtractor]:
    """The extractors that are used, with what became of each file."""
    made = []
    extract = SafeExtractor.extract
    monkeypatch.setattr(SafeExtractor, "extract", lambda self, *paths: (made.append(self), extract(self, *paths)))
    return made


def content(name: str, numbers: random.Random) -> str | bytes:
    if name == "my.zip":
        return zipped(("deep/attention.ipynb", NOTEBOOK), ("deep/notes.txt", "x"))
    is_one = name.endswith(".ipynb") or (numbers.random() < 0.5 and not name.endswith(("png", "csv", "zip", "rar")))
    return NOTEBOOK if is_one else "text"


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_files_taken_refused_and_asked_about_are_all_files(course, caplog, extractors, layout, seed):
    numbers = random.Random(f"{layout} {seed}")
    people = {**PEOPLE, "v99": ("Eve", "Unknown")}
    files = {}
    for n, (student, (first, last)) in enumerate(people.items(), start=1):
        for name in numbers.sample(NAMES, k=numbers.randint(1, 4)):
            files[LAYOUTS[layout](student, first, last, n, name)] = content(name, numbers)
    course.put("class.zip", zipped(*files.items()))
    submitted = course.collect()
    (extractor,) = extractors
    fates = {entry.name.removeprefix("class.zip/"): entry.fate for entry in extractor.entries}
    assert fates.keys() == files.keys()
    assert set(fates.values()) <= {"taken", "asked", "refused", "left"}
    said = "\n".join(record.getMessage() for record in caplog.records if record.levelname == "WARNING")
    for name, fate in fates.items():
        if fate in ("refused", "left"):
            assert f"class.zip/{name}"[:150] in said, name
    assert list(fates.values()).count("taken") + list(fates.values()).count("asked") == len(submitted)
    # A student who handed in a notebook has one, and has the own one.
    for n, (student, (first, last)) in enumerate(people.items(), start=1):
        own = [f for name in NAMES if (f := LAYOUTS[layout](student, first, last, n, name)) in files]
        good = [f for f in own if files[f] == NOTEBOOK or f.endswith("my.zip")]
        taken = [f for f in own if fates[f] in ("taken", "asked")]
        assert len(taken) == bool(good) and set(taken) <= set(good)
        assert student == "v99" or (student in submitted) == bool(good)


@pytest.mark.parametrize(
    "name", ["attention.ipynb.txt", "attention.ipynb.json", "attention.html", "attention.py", "attention"]
)
def test_a_notebook_under_another_ending_is_taken_and_another_file_is_named(course, caplog, name):
    folder = "{}_{}_assignsubmission_file_/{}"
    text = zipped((folder.format("Ada Lovelace", 1, name), NOTEBOOK), (folder.format("Alan Turing", 2, name), "<p>"))
    course.put("class.zip", text)
    course.put(f"u03_{name}", NOTEBOOK.encode())
    assert course.collect() == {"u01": NOTEBOOK, "u03": NOTEBOOK}
    assert (
        f"class.zip/Alan Turing_2_assignsubmission_file_/{name}': it is not a notebook, and there is no" in caplog.text
    )


@pytest.mark.parametrize("name", [".ipynb", ".ipynb_checkpoints/attention-checkpoint.ipynb"])
def test_a_hidden_file_is_named_if_its_student_handed_in_nothing_else(course, caplog, name):
    folder = "{}_{}_assignsubmission_file_/{}"
    places = [folder.format("Ada Lovelace", 1, name), folder.format("Alan Turing", 2, name)]
    course.put("class.zip", zipped(*[(place, NOTEBOOK) for place in [*places, places[1].replace(name, "x.ipynb")]]))
    assert course.collect() == {"u02": NOTEBOOK}
    assert f"{places[0]}': it is hidden, and there is no other file of u01." in caplog.text
    assert places[1] not in caplog.text


def test_a_file_of_many_brackets_is_no_notebook(course):
    course.put("u01_attention.txt", b"{" + b'"a":[' * 200_000)
    assert course.collect() == {}


def test_two_folders_of_one_inner_name_are_two_students(course):
    files = [("u01/hw1/attention.ipynb", "1"), ("u02/hw1/attention.ipynb", "2")]
    course.put("class.zip", zipped(*files))
    assert course.collect() == {"u01": "1", "u02": "2"}
    (course.root / "students.csv").unlink()
    assert course.collect(force=True) == {"u01": "1", "u02": "2"}
    weeks = [("week1/ada/a.ipynb", "1"), ("week1/bob/a.ipynb", "2"), ("week2/ada/a.ipynb", "3")]
    course.put("class.zip", zipped(*weeks))
    assert course.collect(force=True).keys() >= {"ada", "bob"}


def test_folders_of_two_students_in_one_another_are_refused(course, caplog):
    course.put("class.zip", zipped(("u01/u02/attention.ipynb", "?")))
    assert course.collect() == {}
    assert "its folders say u01 and u02; rename one of them" in caplog.text


def test_who_is_anonymous_is_one_sentence(course, caplog):
    names = ("anon_aB3x9_900001_attention.ipynb", "LATE_anon_Zk81q_900002_attention.ipynb", "anon_77123_900003_x.ipynb")
    course.put("class.zip", zipped(*((name, name) for name in names)))
    assert set(course.collect()) == {"anon_aB3x9", "anon_Zk81q", "anon_77123"}
    assert caplog.text.count("Anonymous submissions (3): anon_77123, anon_Zk81q, anon_aB3x9.") == 1
    assert "Whose is it?" not in caplog.text and "Refused" not in caplog.text


@pytest.mark.parametrize("title", ["HW_3_a", "Homework 3", "attention", "attention_part_1"])
def test_an_assignments_title_may_hold_the_sign_between_it_and_the_student(course, title):
    (course.root / "students.csv").write_text("id\nada\nvan_ada\nbob_b\n")
    name = "{}_{}_attempt_2026-11-20-13-45-10_attention.ipynb"
    course.put("class.zip", zipped(*((name.format(title, one), one) for one in ("ada", "van_ada", "bob_b"))))
    assert course.collect() == {one: one for one in ("ada", "van_ada", "bob_b")}


@pytest.mark.parametrize("bad", ["M2/IA-04", "a\\b", "id;id", "..", ".x", "a[1]", "a*"])
def test_an_id_that_cannot_be_a_folder_is_an_error_with_its_line(course, bad):
    (course.root / "students.csv").write_text(f'id,first_name\nu01,Ada\n"{bad}",Emmy\n')
    with pytest.raises(CourseError, match=r"students\.csv, line 3: .* cannot be an id, because of"):
        Roster.of(Course(course.root))


def test_times_of_brightspace_and_ilias_are_read(course):
    places = (
        LAYOUTS["brightspace"]("u01", "Ada", "Lovelace", 1, "x.ipynb"),
        LAYOUTS["ilias"]("u02", "Alan", "Turing", 2, "x.ipynb"),
    )
    places += ("3-77 - Grace Hopper - 2 December, 2026 1105 AM - x.ipynb",)
    places += ("HW/Abgaben/Le_Goff_Emmy_u04_9/20261120134510_x.ipynb",)  # a name of several words
    course.put("class.zip", zipped(*((place, "x") for place in places)))
    assert set(course.collect()) == {"u01", "u02", "u03", "u04"}
    stamps = [(course.root / "submitted" / u / LESSON / "timestamp.txt").read_text() for u in ("u01", "u02", "u03")]
    assert stamps == ["2026-11-20 13:45:00", "2026-11-20 13:45:10", "2026-12-02 11:05:00"]


def test_the_collector_leaves_a_file_that_this_run_did_not_write(course):
    assert LmsCollector.collect  # nbgrader calls it for each file in the folder
    course.put("u01_attention.ipynb", b"1")
    stray = course.root / "downloaded" / LESSON / "extracted" / "u02_attention.ipynb"
    assert course.collect() == {"u01": "1"}
    stray.write_text("2")
    assert course.collect(force=True) == {"u01": "1"}
