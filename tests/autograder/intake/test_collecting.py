"""Collecting archives: each platform's names, who it is, and nbgrader's own command."""

import io
import logging
import shutil
import tarfile

import nbformat
import pytest

from autograder.common.course import WORKBOOK
from autograder.intake.whose import recognise, student_id
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson
from tests.helpers.collecting import BLACKBOARD, LESSON, MOODLE, CollectingCourse, tarred, zipped
from tests.helpers.courses import configure
from tests.helpers.typed import nbgrader

ATTENTION = Lesson.load(LESSON, WORKBOOK)


@pytest.fixture
def course(tmp_path):
    """A course with nbgrader's own collecting of archives, and our two plugins in it."""
    return CollectingCourse(tmp_path / "course")


# ---- names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "student", "timestamp"),
    [
        (f"{MOODLE}/attention.ipynb", "Ada_Lovelace_123456", ""),
        (f"{MOODLE}attention.ipynb", "Ada_Lovelace_123456", ""),
        ("Ada Lovelace_123456_assignsubmission_file/attention.ipynb", "Ada_Lovelace_123456", ""),
        (f"CS101-attention/{MOODLE}/my work/final.ipynb", "Ada_Lovelace_123456", ""),
        ("李明_7_assignsubmission_file_/attention.ipynb", "李明_7", ""),
        ("lovelaceada_12345_678901_attention-1.ipynb", "lovelaceada_12345", ""),
        ("lovelaceada_LATE_12345_678901_attention.ipynb", "lovelaceada_12345", ""),
        ("submissions/lovelaceada_12345_678901_homework/attention.ipynb", "lovelaceada_12345", ""),
        (f"{BLACKBOARD}_attention.ipynb", "ada", "2026-11-20 13:45:10"),
        ("Homework 3_ada_attempt_2026-11-20-13-45-10_x.ipynb", "ada", "2026-11-20 13:45:10"),
        ("attention_ada_l_attempt_2026-11-20-13-45-10_x.ipynb", "ada_l", "2026-11-20 13:45:10"),
        ("attention_ada_attempt_2026-02-31-13-45-10_attention.ipynb", "ada", ""),
        ("ada_attention.ipynb", "ada", ""),
        ("ada_l@uni.edu_Attention (2).ipynb", "ada_l@uni.edu", ""),
        ("ada/attention.ipynb", "ada", ""),
        ("class/ada/attention/attention.ipynb", "ada", ""),
        ("ada/work.ipynb", "ada", ""),
    ],
)
def test_recognises_each_platforms_names(place, student, timestamp):
    found = recognise(tuple(place.split("/")), LESSON)
    assert (found.student, found.timestamp) == (student, timestamp)


@pytest.mark.parametrize("place", ["attention.ipynb", "work.ipynb", "attention/attention.ipynb", "..._attention.ipynb"])
def test_does_not_guess_whose_a_notebook_is(place):
    assert recognise(tuple(place.split("/")), LESSON) is None


@pytest.mark.parametrize(
    "place",
    [
        "mallory_1_23456_Bob_9_assignsubmission_file_attention.ipynb",
        "mallory_1_23456_attention_bob_attempt_2026-11-20-13-45-10_attention.ipynb",
        "mallory_1_23456_bob_2_34567_attention.ipynb",
        "mallory_1_23456_work/Bob_9_assignsubmission_file_/attention.ipynb",
    ],
)
def test_nobody_hands_in_for_another(place):
    assert recognise(tuple(place.split("/")), LESSON).student == "mallory_1"


@pytest.mark.parametrize(
    "name", ["-rf", "../../etc", ".hidden", "$(touch x)", "a\nb", "a/b\\c", "x" * 500, "O'Neil", "…"]
)
def test_student_ids_hold_nothing_that_means_something_elsewhere(name):
    plain = student_id(name)
    assert len(plain) <= 80 and not plain.startswith(("-", "."))
    assert all(sign.isalnum() or sign in "-_.@" for sign in plain)


# ---- what is taken ------------------------------------------------------------------------------------


def test_takes_only_notebooks_and_writes_our_own_timestamp(course):
    work = zipped(("a/final.ipynb", "ada"), ("timestamp.txt", "1999-01-01"))
    others = [
        (name, "1999-01-01") for name in (f"{BLACKBOARD}_timestamp.txt", "timestamp.txt", f"{BLACKBOARD}_torch.py")
    ]
    course.put("gradebook.zip", zipped((f"{BLACKBOARD}_work.zip", work), *others))
    assert course.collect() == {"ada": "ada"}
    assert (course.root / "submitted/ada/attention/timestamp.txt").read_text() == "2026-11-20 13:45:10"


def test_keeps_the_newest_of_duplicates(course, caplog):
    name = "attention_ada_attempt_2026-11-{}-13-45-10_attention.ipynb"
    course.put(
        "b.zip", zipped((name.format("21"), "newest"), (name.format("19"), "oldest"), (name.format("20"), "older"))
    )
    course.put("old.zip", zipped((f"{MOODLE}/attention.ipynb", "old"), when=(2026, 1, 1, 0, 0, 0)))
    course.put("new.zip", zipped((f"{MOODLE}/attention.ipynb", "new"), (f"{MOODLE}/scratch.ipynb", "scratch")))
    course.put(
        "c.zip", zipped(("bob_12_345679_attention-1.ipynb", "second"), ("bob_12_345678_attention.ipynb", "first"))
    )
    assert course.collect() == {"ada": "newest", "Ada_Lovelace_123456": "new", "bob_12": "second"}
    assert "ada has a newer or better named notebook" in caplog.text


def test_two_of_one_name_stay_two(course):
    course.put("m.zip", zipped(*((f"Li Ming_{n}_assignsubmission_file_/attention.ipynb", str(n)) for n in (7, 8))))
    assert course.collect() == {"Li_Ming_7": "7", "Li_Ming_8": "8"}


def test_takes_by_hand_forms_and_archives_in_archives(course):
    course.put("ada_attention.ipynb", b"ada")
    course.put("bob/attention.ipynb", b"bob")
    course.put("cyd.tar.gz", tarred(("./attention.ipynb", "cyd")))
    course.put(
        "class.zip", zipped(("class/dan/attention.IPYNB", "dan"), ("eve.zip", zipped(("x/attention.ipynb", "eve"))))
    )
    course.put("windows.zip", zipped(("fay\\attention.ipynb", "fay"), ("__MACOSX/fay/._attention.ipynb", "no")))
    course.put("t.tar", tarred((f"{MOODLE}/attention.ipynb", "tar"), mode="w"))
    taken = course.collect()
    assert taken == {s: s for s in ("ada", "bob", "cyd", "dan", "eve", "fay")} | {"Ada_Lovelace_123456": "tar"}


def test_a_class_archive_with_a_students_form_is_nobodys(course):
    inner = zipped(("x/attention.ipynb", "eve"))
    course.put(
        "CS101_attention.zip", zipped(("eve.zip", inner), ("sub/fay_attention.zip", inner), ("dan/a.ipynb", "dan"))
    )
    assert course.collect() == {"eve": "eve", "fay": "eve", "dan": "dan"}


def test_a_submission_from_elsewhere_does_not_stop_the_class(course, caplog):
    there = course.root / "submitted" / "ada" / LESSON / f"{LESSON}.ipynb"
    there.parent.mkdir(parents=True)
    there.write_text("collected before")
    course.put("class.zip", zipped(("ada/attention.ipynb", "ada"), ("bob/attention.ipynb", "bob")))
    assert course.collect() == {"ada": "collected before", "bob": "bob"}
    assert "--force replaces it" in caplog.text
    assert course.collect(force=True) == {"ada": "ada", "bob": "bob"}


# ---- who it is ----------------------------------------------------------------------------------------

STUDENTS = """\
id,first_name,last_name,email,lms_user_id,names
s1,Ada,Lovelace,ada@uni.edu,12345,
s2,Seán,O’Brien,,,Sean O'Brien
s3,明,李,,,李明;limi
s4,Li,Ming,,,
s5,Ming,Li,,,
s6,Bob,Groß,bob@uni.edu,,bob
"""


def test_students_are_known_by_what_platforms_call_them(course, caplog):
    caplog.set_level(logging.INFO)
    (course.root / "students.csv").write_text(STUDENTS, encoding="utf-8")
    moodle = "{}_{}_assignsubmission_file_/attention.ipynb"
    names = ("Ada Lovelace", "Sean O'Brien", "李明", "Li Ming", "Bob Gross", "Eve Unknown")
    course.put("m.zip", zipped(*((moodle.format(name, n), name) for n, name in enumerate(names, start=700))))
    taken = course.collect()
    assert taken == {"s1": "Ada Lovelace", "s2": "Sean O'Brien", "s3": "李明", "s6": "Bob Gross"} | {
        "Li_Ming_703": "Li Ming",
        "Eve_Unknown_705": "Eve Unknown",
    }
    assert "'Li_Ming_703' may be s4 or s5" in caplog.text
    assert "'Eve_Unknown_705' is not in students.csv" in caplog.text
    assert "Found notebooks of 6 students; refused 0 files" in caplog.text


@pytest.mark.parametrize(
    "other", ["Bob Groß", "bob gross", "Groß Bob", "Ｂｏｂ Gross", "Bób Groß", "bob", "bob@uni.edu"]
)
def test_two_numbers_of_a_platform_are_two_people_whatever_they_call_themselves(course, caplog, other):
    """Also where one of them came later, with a better name; the instructor is asked, and can settle it by number."""
    (course.root / "students.csv").write_text(STUDENTS, encoding="utf-8")
    moodle = "{}_{}_assignsubmission_file_/{}.ipynb"
    files = [(moodle.format("Bob Groß", 111, "work"), "bob"), (moodle.format(other, 777, "attention"), "other")]
    for order in (files, files[::-1]):
        course.put("m.zip", zipped(*order))
        taken = course.collect(force=True)
        assert sorted(taken.values()) == ["bob", "other"] and "s6" not in taken
        assert taken["Bob_Groß_111"] == "bob"
        assert caplog.text.count("has the same name as s6, and another account has this name, too") == 2
        caplog.clear()
    (course.root / "students.csv").write_text(STUDENTS.replace(",bob\n", ",Bob Groß_111\n"), encoding="utf-8")
    shutil.rmtree(course.root / "submitted")
    for order in (files, files[::-1]):
        course.put("m.zip", zipped(*order))
        assert course.collect(force=True)["s6"] == "bob"
        assert "Bob_Groß_111" not in course.collect(force=True)


def test_one_number_is_one_person(course):
    """The same account twice, and a file that the instructor named by hand."""
    (course.root / "students.csv").write_text(STUDENTS, encoding="utf-8")
    moodle = "Bob Gross_111_assignsubmission_file_/{}.ipynb"
    course.put("m.zip", zipped((moodle.format("work"), "old"), (moodle.format("attention"), "new")))
    course.put("s6_attention.ipynb", b"by hand")
    taken = course.collect()
    assert list(taken) == ["s6"]


def test_whose_number_is_known_is_nobody_of_another_number(course, caplog):
    """Ada's number on Canvas is 12345; who is called like her and has another is asked about."""
    (course.root / "students.csv").write_text(STUDENTS, encoding="utf-8")
    course.put("c.zip", zipped(("lovelaceada_99999_678901_attention.ipynb", "another")))
    assert course.collect() == {"lovelaceada_99999": "another"}
    assert "has the same name as s1, who has another id there, 12345" in caplog.text


@pytest.mark.parametrize("name", ["lovelaceada_LATE_12345_678901_attention.ipynb", "adalovelace_12345_1234567_x.ipynb"])
def test_canvas_knows_students_by_number(course, caplog, name):
    (course.root / "students.csv").write_text(STUDENTS, encoding="utf-8")
    course.put("c.zip", zipped((name, "ada")))
    assert course.collect() == {"s1": "ada"}
    assert ("The platform says late, but not when: 's1'" in caplog.text) == ("LATE" in name)
    assert ("handed in: one student will not count as late" in caplog.text) == ("LATE" not in name)


@pytest.mark.parametrize("roster", [True, False])
def test_the_given_name_is_stronger_than_a_files_own(course, caplog, roster):
    if roster:
        (course.root / "students.csv").write_text("id\nada\nbob\ncyd\n")
    late = (2107, 1, 1, 0, 0, 0)
    course.put("ada.zip", zipped(("bob_attention.ipynb", "by ada"), when=late))
    course.put("class.zip", zipped(("ada/bob_attention.ipynb", "by ada"), ("bob/attention.ipynb", "bob"), when=late))
    course.put("bob_attention.ipynb", b"bob, loose")
    course.put("group/cyd_attention.ipynb", b"cyd")
    taken = course.collect()
    assert taken == {"bob": "bob"} | ({"cyd": "cyd"} if roster else {})
    assert caplog.text.count("its folder or archive names ada, the file itself names bob") == 2


def test_folders_of_an_archive_are_counted(course, caplog, monkeypatch):
    from autograder.intake import archives

    monkeypatch.setattr(archives, "MAX_ENTRIES", 7)
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for number in range(8):
            info = tarfile.TarInfo(f"folder{number}")
            info.type = tarfile.DIRTYPE
            archive.addfile(info)
    course.put("many.tar", target.getvalue())
    course.put("many.zip", zipped(*((f"folder{number}/", "") for number in range(8))))
    assert course.collect() == {}
    assert caplog.text.count("it contains more than 7 files") == 2


# ---- nbgrader's own command ---------------------------------------------------------------------------


def test_nbgraders_command_collects_a_class(tmp_path):
    """Moodle's and Canvas' archives, one bad entry in each, through the command that instructors type."""
    course = CollectingCourse(tmp_path)
    configure(tmp_path)
    text = nbformat.writes(release_notebook(ATTENTION))
    course.put("CS101-attention-9.zip", zipped((f"{MOODLE}/attention.ipynb", text), ("../../x.ipynb", text)))
    late = "lovelaceada_LATE_12345_678901_attention.ipynb"
    course.put(
        "submissions.zip", zipped((late, text), ("bob_12_345678_work.zip", b"broken"), ("cyd_13_345679_a.ipynb", "{"))
    )
    done = nbgrader(tmp_path, "zip_collect", LESSON)
    assert done.returncode == 0, done.stderr
    for student in ("Ada_Lovelace_123456", "lovelaceada_12345"):
        assert (tmp_path / "submitted" / student / LESSON / f"{LESSON}.ipynb").read_text() == text
    students = {path.name for path in (tmp_path / "submitted").iterdir()}
    assert students == {"Ada_Lovelace_123456", "lovelaceada_12345", "cyd_13"}
    assert done.stderr.count("Refused") == 2


def test_a_name_that_was_settled_takes_what_lay_under_the_wrong_one_along(course, caplog):
    """Two students share a name; the instructor writes each account into `names`, and collects again."""
    roster = "id,first_name,last_name,names\ne06,Paul,Dupont,{}\ne07,Paul,Dupont,{}\n"
    (course.root / "students.csv").write_text(roster.format("", ""))
    for number in (106, 107):
        place = f"Paul Dupont_{number}_assignsubmission_file_/attention.ipynb"
        course.put(f"{number}.zip", zipped((place, f"work of {number}")))
    assert set(course.collect()) == {"Paul_Dupont_106", "Paul_Dupont_107"}
    assert "'Paul_Dupont_106' may be e06 or e07" in caplog.text
    graded = course.root / "feedback" / "Paul_Dupont_106" / LESSON
    graded.mkdir(parents=True)
    (course.root / "students.csv").write_text(roster.format("Paul_Dupont_106", "Paul_Dupont_107"))
    assert course.collect(force=True) == {"e06": "work of 106", "e07": "work of 107"}
    assert not graded.parent.exists()
    aside = course.root / ".grading" / "aside" / "submitted" / "Paul_Dupont_107" / LESSON
    assert (aside / "attention.ipynb").read_text() == "work of 107"
