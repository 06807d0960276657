"""Whose a notebook is, to the letter, and which of two counts; what collecting says of every file that it leaves."""

import os
import re
from dataclasses import replace

import pytest

from autograder.intake import whose
from autograder.intake.whose import InArchive, is_called, recognise, student_id
from tests.helpers.collecting import BLACKBOARD, LESSON, MOODLE, CollectingCourse, nested, zipped


@pytest.fixture
def course(tmp_path) -> CollectingCourse:
    return CollectingCourse(tmp_path / "course")


@pytest.mark.parametrize(
    ("place", "found"),
    [
        (f"{MOODLE}/essay/x.ipynb", InArchive("Ada_Lovelace_123456", "x.ipynb")),
        (f"{MOODLE}attention.ipynb", InArchive("Ada_Lovelace_123456", "attention.ipynb")),
        ("ada_12_34567_x.ipynb", InArchive("ada_12", "x.ipynb", "", 34567)),
        ("ada_LATE_12_123456789012345_x.ipynb", InArchive("ada_12", "x.ipynb", "", 123456789012345)),
        ("ada_12_34567_work/deep/x.ipynb", InArchive("ada_12", "x.ipynb", "", 34567)),
        (f"{BLACKBOARD}_x.ipynb", InArchive("ada", "x.ipynb", "2026-11-20 13:45:10")),
        (f"{BLACKBOARD}/x.ipynb", InArchive("ada", "x.ipynb", "2026-11-20 13:45:10")),
        ("ATTENTION_ada_attempt_2026-11-20-13-45-10_x.ipynb", InArchive("ada", "x.ipynb", "2026-11-20 13:45:10")),
        ("other_ada_b_attempt_2026-11-20-13-45-10_x.ipynb", InArchive("ada_b", "x.ipynb", "2026-11-20 13:45:10")),
        ("ada_attempt_2026-11-20-13-45-10_x.ipynb", InArchive("ada", "x.ipynb", "2026-11-20 13:45:10")),
        ("ada_attention.ipynb", InArchive("ada", "attention.ipynb")),
        ("ada_b_attention (12).ipynb", InArchive("ada_b", "attention.ipynb")),
        ("class/ada_attention/x.ipynb", InArchive("ada", "x.ipynb")),
        ("class/ada/x.ipynb", InArchive("ada", "x.ipynb")),
        ("ada/attention-2/x.ipynb", InArchive("ada", "x.ipynb")),
        ("x.ipynb", None),
        ("ada_attentions.ipynb", None),
        ("attention-1/attention.ipynb", None),
    ],
)
def test_a_place_tells_the_student_the_upload_and_the_notebooks_name(place, found):
    told = recognise(tuple(place.split("/")), LESSON)
    assert (
        told and replace(told, names=(), own="", late=False, participant="", number="", platform="", place="")
    ) == found
    assert (told is not None and told.late) == ("_LATE_" in place)
    assert (told.participant if told else "") == ("123456" if place.startswith(MOODLE) else "")


def test_a_new_platforms_form_says_how_its_times_are_read(monkeypatch):
    form = whose.Form("new", re.compile(r"(?P<time>\d+ \w+ \d{4}) - (?P<student>\w+) - (?P<name>.*)"), time="%d %b %Y")
    monkeypatch.setattr(whose, "FORMS", (*whose.FORMS, form))
    told = recognise(("20 Nov 2026 - attention_ada - x.ipynb",), LESSON)
    assert told == InArchive(
        "attention_ada",
        "x.ipynb",
        "2026-11-20 00:00:00",
        names=("attention_ada", "", "attention_ada"),
        platform="new",
        place="20 Nov 2026 - attention_ada - x.ipynb",
    )
    assert recognise(("31 Feb 2026 - ada - x.ipynb", "y.ipynb"), LESSON).timestamp == ""
    blackboard = recognise(("20 Nov 2026 - ada_attempt_2026-11-21-13-45-10_x.ipynb",), LESSON)
    assert blackboard.timestamp == "2026-11-21 13:45:10"  # each form reads its own times


@pytest.mark.parametrize("name", ["ada_12_3456_x.ipynb", "ada_12_1234567890123456_x.ipynb"])
def test_an_upload_has_five_to_fifteen_digits(name):
    assert recognise((name,), LESSON) is None


@pytest.mark.parametrize(
    ("name", "called"),
    [
        *(
            (name, True)
            for name in ("attention", "attention.ipynb", "Attention-1.ipynb", "attention(2)", "attention_123")
        ),
        *((name, True) for name in ("attention 7.ipynb", "ATTENTION (12).IPYNB")),
        *((name, False) for name in ("attention1234", "attention--1", "my_attention", "attention.txt", "attentionx")),
    ],
)
def test_a_lessons_name_may_have_the_number_of_a_copy(name, called):
    assert is_called(name, LESSON) == called


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Ada  Lovelace", "Ada_Lovelace"),
        ("ａｄａ", "ada"),  # full width, as Asian keyboards write
        ("-._@ada", "ada"),
        ("ada_.", "ada"),
        ("a.b@c-d", "a.b@c-d"),
        ("x" * 81, "x" * 80),
        ("x" * 79 + "_y", "x" * 79),
        ("…", ""),
        ("李明", "李明"),
        ("XAX", "XAX"),
    ],
)
def test_a_students_id_is_the_name_without_odd_signs(name, plain):
    assert student_id(name) == plain


def collected(course: CollectingCourse, *files: tuple[str, str]) -> str:
    """What counts when one student has several notebooks, in any order of the archive."""
    counted = set()
    for order in (files, files[::-1]):
        course.put("class.zip", zipped(*order))
        ((_, content),) = course.collect(force=True).items()
        counted.add(content)
    (content,) = counted
    return content


def test_the_later_attempt_counts_before_the_better_name(course):
    name = "attention_ada_attempt_2026-11-{}-13-45-10_{}.ipynb"
    assert collected(course, (name.format(20, "attention"), "named"), (name.format(21, "x"), "later")) == "later"


def test_the_better_name_counts_before_the_later_upload_and_that_before_the_time(course):
    named, later = ("ada_12_34567_attention.ipynb", "named"), ("ada_12_34568_x.ipynb", "later")
    assert collected(course, named, later) == "named"
    assert collected(course, ("ada_12_34567_x.ipynb", "early"), later) == "later"


LOOSE = ("ada_attention.ipynb", "ada/attention.ipynb")


@pytest.mark.parametrize(
    ("newest", "says"),
    [
        (LOOSE[0], "Refused 'ada/attention.ipynb': ada has a newer or better named notebook."),
        (LOOSE[1], "ada has two notebooks; 'attention.ipynb' is newer or better named."),
    ],
)
def test_of_loose_files_the_one_that_was_changed_last_counts(course, caplog, newest, says):
    for name in LOOSE:
        course.put(name, name.encode())
        os.utime(course.archive / name, 2 * (1_900_000_000 + (name == newest),))
    assert course.collect() == {"ada": newest}
    assert says in caplog.text
    extracted = [path for path in (course.root / "downloaded" / LESSON / "extracted").rglob("*") if path.is_file()]
    assert [path.read_text() for path in extracted] == [newest]


SENTENCES = {
    "x.ipynb": "Refused 'x.ipynb': its name does not say whose it is; call it STUDENT_attention.ipynb.",
    "ada.rar": "Refused 'ada.rar': archives of this kind are not read; unpack it, or pack it as .zip.",
    "-x.zip": "Refused '-x.zip': its name starts with a dash; rename it.",
    "none.zip": "Refused 'none.zip': there is no notebook in it.",
    "deep.zip": "Refused 'a.zip/a.zip': archives are nested more than 3 deep.",
    "inner.zip": "Refused 'inner.zip/work.7z': archives of this kind are not read; unpack it, or pack it as .zip.",
    "ada.tar": "Refused 'ada.tar': it cannot be read (ReadError(",
}


def test_every_file_that_is_left_gets_a_sentence(course, caplog):
    contents = {
        "none.zip": zipped(("a.txt", "x"), (".hidden/attention.ipynb", "x")),
        "deep.zip": nested(3),
        "inner.zip": zipped(("work.7z", "x"), ("bob/attention.ipynb", "bob")),
    }
    for name in SENTENCES:
        course.put(name, contents.get(name, b"x"))
    course.put("readme.txt", b"x")
    caplog.set_level("INFO")
    assert course.collect() == {"bob": "bob"}
    said = [record.getMessage() for record in caplog.records]
    for sentence in SENTENCES.values():
        assert [one.startswith(sentence) if sentence.endswith("(") else one == sentence for one in said].count(
            True
        ) == 1
    assert said.count("Found notebooks of 1 students; refused 7 files; 0 students are not known.") == 1
    assert "Left out, because they are not notebooks (2): none.zip/a.txt, readme.txt." in said


def test_archives_lie_in_one_another_three_deep(course):
    course.put("class.zip", nested(2))
    assert course.collect() == {"a": "deep"}


def test_a_file_of_a_class_archive_too_many_ends_it_there(course, caplog, monkeypatch):
    monkeypatch.setattr("autograder.intake.archives.MAX_ENTRIES", 3)
    names = [f"{name}/attention.ipynb" for name in ("ada", "bob", "cyd", "dan")]
    course.put("class.zip", zipped(*((name, "x") for name in names[:3])))
    assert set(course.collect()) == {"ada", "bob", "cyd"} and "Refused" not in caplog.text
    course.put("class.zip", zipped(*((name, "x") for name in names)))
    assert set(course.collect(force=True)) == {"ada", "bob", "cyd"}
    assert "it contains more than 3 files, and the rest was not read" in caplog.text


def test_a_students_archive_has_a_budget_of_its_own_in_that_of_the_class(course, caplog, monkeypatch):
    monkeypatch.setattr("autograder.intake.archives.MAX_NESTED_TOTAL", 10)
    large = zipped(("a/attention.ipynb", "x" * 8), ("b/attention-1.ipynb", "y" * 3))
    small = zipped(("attention.ipynb", "z" * 10))
    course.put("class.zip", zipped(("ada_1_23456_w.zip", large), ("bob_2_23456_w.zip", small)))
    assert course.collect() == {"ada_1": "x" * 8, "bob_2": "z" * 10}
    assert caplog.text.count("it unpacks to more than is allowed") >= 1


# ---- when it was handed in --------------------------------------------------------------------------------

# In the form that Moodle's source has (mod/assign/gradingtable.php); not a file from a Moodle in use.
WORKSHEET = """\ufeffIdentifier,"Full name","Email address",Status,Grade,"Maximum grade","Grade can be changed",\
"Last modified (submission)","Last modified (grade)","Feedback comments"
"Participant 123456","Ada Lovelace",ada@uni.edu,"Submitted for grading",,42.00,Yes,{time},-,
"Participant 7",李明,li@uni.edu,"No submission",,42.00,Yes,-,-,
"""


def time_of(course, student: str) -> str | None:
    path = course.root / "submitted" / student / LESSON / "timestamp.txt"
    return path.read_text() if path.is_file() else None


@pytest.mark.parametrize(
    ("written", "time"),
    [
        ('"Friday, 20 November 2026, 1:45 PM"', "2026-11-20 13:45:00"),
        ('"Friday, 20 November 2026, 12:05 AM"', "2026-11-20 00:05:00"),
        ('"20 November 2026, 13:45"', "2026-11-20 13:45:00"),
        ('"Sunday, 1 February 2026, 11:59 pm"', "2026-02-01 23:59:00"),
        ('"Friday, November 20, 2026, 1:45 PM"', "2026-11-20 13:45:00"),
        ('"vendredi 20 novembre 2026, 13:45"', "2026-11-20 13:45:00"),
        ('"Freitag, 20. November 2026, 13:45"', "2026-11-20 13:45:00"),
        ('"Montag, 2. März 2026, 08:05"', "2026-03-02 08:05:00"),
        ('"2026年11月20日 星期五 13:45"', "2026-11-20 13:45:00"),
        ('"2026年11月20日 星期五 下午1:45"', "2026-11-20 13:45:00"),
        ("-", None),
    ],
)
def test_moodles_worksheet_says_when(course, caplog, written, time):
    course.put("Course-attention-99.zip", zipped((f"{MOODLE}/attention.ipynb", "ada")))
    course.put("Grades.csv", WORKSHEET.format(time=written).encode())
    assert set(course.collect()) == {"Ada_Lovelace_123456"}
    assert time_of(course, "Ada_Lovelace_123456") == time
    assert ("does not say when one student handed in; put its grading worksheet" in caplog.text) == (time is None)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (WORKSHEET.format(time='"20/11/2026 13:45"').encode(), "cannot be read; set your language"),
        (WORKSHEET.format(time='"Friday, 31 November 2026, 1:45 PM"').encode(), "cannot be read; set your language"),
        (
            b"Identyfikator,Ostatnio modyfikowane (zadanie)\n",
            "not a grading worksheet with columns 'Identifier'",
        ),
        (b"", "not a grading worksheet with columns"),
        (b"Identifier,\x81\xff\n", "it cannot be read"),
    ],
)
def test_another_worksheet_costs_only_the_times(course, caplog, content, says):
    course.put("Course-attention-99.zip", zipped((f"{MOODLE}/attention.ipynb", "ada")))
    course.put("Grades.csv", content)
    assert course.collect() == {"Ada_Lovelace_123456": "ada"}
    assert time_of(course, "Ada_Lovelace_123456") is None
    assert "Refused 'Grades.csv': " in caplog.text and says in caplog.text


@pytest.mark.parametrize(
    ("zone", "utc"), [("Europe/Paris", "12:45:{}"), ("America/New_York", "18:45:{}"), ("UTC", "13:45:{}")]
)
def test_a_platforms_times_are_in_its_zone(course, zone, utc):
    course.put("moodle.zip", zipped((f"{MOODLE}/attention.ipynb", "ada")))
    course.put("blackboard.zip", zipped((f"{BLACKBOARD}_attention.ipynb", "ada")))
    course.put("Grades.csv", WORKSHEET.format(time='"Friday, 20 November 2026, 1:45 PM"').encode())
    course.collect(zone=zone)
    assert time_of(course, "Ada_Lovelace_123456") == f"2026-11-20 {utc.format('00')}"
    assert time_of(course, "ada") == f"2026-11-20 {utc.format('10')}"


def test_an_unknown_zone_is_one_sentence(course, caplog):
    course.put("blackboard.zip", zipped((f"{BLACKBOARD}_attention.ipynb", "ada")))
    with pytest.raises(SystemExit):
        course.collect(zone="Paris")
    assert "There is no time zone 'Paris'; write it like Europe/Paris" in caplog.text
