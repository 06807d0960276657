"""Names as platforms write them: 40 people in two scripts, by Moodle and by Canvas, and without parts of the name."""

import re

import pytest

from autograder.common.course import Course
from autograder.intake.roster import Roster
from tests.helpers.collecting import CollectingCourse, zipped

# First and last name; what a shortened name leaves of it, "" where nothing is left out.
PEOPLE = """\
Sean|O'Neil|
Awa|N’Diaye|
Jan|van der Berg|Jan Berg
Gabriel|García Márquez|Gabriel Garcia
Mary Ann|Lee|Mary Lee
Jean-Pierre|Dupont|Jean Dupont
Rosa|de la Cruz|Rosa Cruz
Ada|Lovelace|
Seán|Ó Briain|
Jürgen|Groß|
Łukasz|Świątek|
Søren|Ærø|
Đorđe|Đukić|
Ana Maria|dos Santos Silva|Ana Silva
Ludwig|van Beethoven|Ludwig Beethoven
Vincent|van Gogh|Vincent Gogh
Charles|de Gaulle|Charles Gaulle
Leonardo|da Vinci|Leonardo Vinci
Catherine|d'Alembert|
Marie|L'Hôpital|
Anne-Sophie|Le Goff|Anne Goff
José Luis|Pérez-Reverte|Jose Perez-Reverte
Nguyễn Thị|Minh Khai|
Zoë|Brontë|
Mehmet|Yıldız|
İpek|Şahin|
Björk|Guðmundsdóttir|
Niamh|Ní Dhomhnaill|
Abdul|al-Rashid|
Karl-Heinz|von der Lühe|Karl-Heinz Lühe
明|李|
小红|王|
伟|欧阳|
娜|张|
丽华|陈|
建国|司马|
思远|诸葛|
雨桐|刘|
子涵|赵|
浩然|周|
"""
NAMES = [line.split("|") for line in PEOPLE.splitlines()]
ROSTER = Roster([{"id": f"n{n}", "first_name": f, "last_name": last} for n, (f, last, _) in enumerate(NAMES)])


def moodle(first: str, last: str) -> str:
    """The full name as PARAM_FILE leaves it (lib/moodlelib.php, clean_param)."""
    return re.sub(r"[\x00-\x1f&<>\"`|':\\/]", "", f"{first} {last}".replace("_", " "))


def canvas(first: str, last: str) -> str:
    """The sortable name as content_zipper.rb leaves it."""
    return re.sub(r"\W|_", "", f"{last}, {first}").lower()


FORMS = {
    "moodle": moodle,
    "moodle, family name first": lambda first, last: moodle(last, first),
    "canvas": canvas,
    "canvas, given name first": lambda first, last: canvas(last, first),
    "canvas, last word first": lambda first, last: canvas(" ".join([first, *last.split()[:-1]]), last.split()[-1]),
}


@pytest.mark.parametrize("form", FORMS)
def test_forty_names_in_two_scripts_are_known(form):
    known = [ROSTER.find(FORMS[form](first, last)) == {f"n{n}"} for n, (first, last, _) in enumerate(NAMES)]
    assert len(NAMES) == 40 and sum(known) >= 38, [name for name, good in zip(NAMES, known, strict=True) if not good]


@pytest.mark.parametrize("form", [lambda name: name, lambda name: canvas(*name.rsplit(" ", 1))])
def test_a_name_with_parts_left_out_is_known_where_only_one_may_be_meant(form):
    short = {f"n{n}": name for n, (_, _, name) in enumerate(NAMES) if name}
    assert len(short) == 13
    assert {student: ROSTER.find(form(name)) for student, name in short.items()} == {
        student: {student} for student in short
    }


def test_of_two_whom_a_shortened_name_may_mean_both_are_named_and_a_whole_name_counts_first():
    people = [("a", "Jan", "van der Berg"), ("b", "Jan", "de Berg"), ("c", "Rosa", "Cruz"), ("d", "Rosa", "de la Cruz")]
    roster = Roster([{"id": i, "first_name": first, "last_name": last} for i, first, last in people])
    assert roster.find("Jan Berg") == {"a", "b"} and roster.find("Rosa Cruz") == {"c"}
    assert roster.find("delacruzrosa") == {"d"} and roster.find("Berg") == roster.find("Jan") == set()


@pytest.mark.parametrize("column", ["first_name", "last_name"])
def test_a_person_of_one_name_is_known_by_it_and_nobody_by_a_part_of_two(column):
    roster = Roster(
        [{"id": "a", column: "Sukarno"}, {"id": "b", "first_name": "Sri", "last_name": "Mulyani"}, {"id": "c"}]
    )
    assert roster.find("Sukarno") == roster.find("sukarno .") == {"a"}
    assert roster.find("Mulyani") == roster.find("") == roster.find(".") == set()


def test_an_umlaut_may_be_two_letters():
    roster = Roster([{"id": "a", "first_name": "Jörg", "last_name": "Müller"}])
    assert roster.find("Joerg Mueller") == roster.find("muellerjoerg") == roster.find("Jorg Muller") == {"a"}


def test_the_id_that_is_exactly_there_wins(tmp_path):
    roster = Roster([{"id": "U01"}, {"id": "u01"}])
    assert roster.find("U01") == {"U01"} and roster.find("u01") == {"u01"}
    course = CollectingCourse(tmp_path / "course")
    (course.root / "students.csv").write_text("id\nU01\nu01\n")
    course.put("U01_attention.ipynb", b"large")
    course.put("u01_attention.ipynb", b"small")
    assert course.collect() == {"U01": "large", "u01": "small"}
    assert set(Roster.of(Course(course.root)).rows) == {"U01", "u01"}


def test_both_platforms_archives_find_whom_they_shorten(tmp_path, caplog):
    course = CollectingCourse(tmp_path / "course")
    lines = "".join(f"n{n},{first},{last}\n" for n, (first, last, _) in enumerate(NAMES))
    (course.root / "students.csv").write_text(f"id,first_name,last_name\n{lines}", encoding="utf-8")
    half = [
        (f"{moodle(f, last)}_{n}_assignsubmission_file_/x.ipynb", f"n{n}") for n, (f, last, _) in enumerate(NAMES[:20])
    ]
    half += [
        (f"{canvas(f, last)}_{n}_{90_000 + n}_x.ipynb", f"n{n}") for n, (f, last, _) in enumerate(NAMES) if n >= 20
    ]
    course.put("class.zip", zipped(*half))
    taken = course.collect()
    assert sum(student == content for student, content in taken.items()) >= 38
    assert all(f"'{student}' " in caplog.text for student, content in taken.items() if student != content)
