"""Collecting archives: each platform's names, everything that an archive can do to harm, and nbgrader's own command."""

import io
import logging
import os
import struct
import tarfile
import zipfile
from pathlib import Path

import nbformat
import pytest
from courses import configure
from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.coursedir import CourseDirectory
from typed import nbgrader

from autograder.intake import archives
from autograder.intake.lms import LmsCollector, SafeExtractor
from autograder.intake.whose import recognise, student_id
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson

LESSON = "attention"
ATTENTION = Lesson.load(LESSON)
MOODLE = "Ada Lovelace_123456_assignsubmission_file_"
BLACKBOARD = "attention_ada_attempt_2026-11-20-13-45-10"


@pytest.fixture
def course(tmp_path):
    """A course with nbgrader's own collecting of archives, and our two plugins in it."""
    return Course(tmp_path / "course")


class Course:
    def __init__(self, root: Path):
        self.root, self.archive = root, root / "downloaded" / LESSON / "archive"
        self.archive.mkdir(parents=True)
        self.released = root / "release" / LESSON / f"{LESSON}.ipynb"
        self.released.parent.mkdir(parents=True)
        self.released.write_text("{}")

    def put(self, name: str, content: bytes) -> None:
        path = self.archive / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def collect(self, *, force: bool = False, zone: str = "UTC") -> dict[str, str]:
        """Run nbgrader's steps; return what each student's notebook holds."""
        app = ZipCollectApp(extractor_plugin=SafeExtractor, collector_plugin=LmsCollector, force=force)
        app.config.LmsCollector.timezone = zone
        app.coursedir = CourseDirectory(root=str(self.root), assignment_id=LESSON)
        app.log = logging.getLogger("collecting")
        app.init_plugins()
        app.extract_archive_files()
        app.process_extracted_files()
        files = [path for path in (self.root / "submitted").rglob("*") if path.is_file()]
        assert {path.name for path in files} <= {f"{LESSON}.ipynb", "timestamp.txt"}
        return {path.parts[-3]: path.read_text() for path in files if path.suffix == ".ipynb"}

    def strays(self) -> set[str]:
        """All files that lie in or beside the course where none belongs, and all links."""
        places = [self.root / name for name in ("submitted", "release", f"downloaded/{LESSON}")]
        files = [path for path in self.root.parent.rglob("*") if path.is_symlink() or not path.is_dir()]
        return {str(p) for p in files if p.is_symlink() or not any(p.is_relative_to(place) for place in places)}


def zipped(*files: tuple[str, str | bytes], when: tuple = (2026, 11, 20, 12, 0, 0), how: int = 8) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in files:
            info = zipfile.ZipInfo(name, when)
            info.compress_type = how
            archive.writestr(info, content)
    return target.getvalue()


def tarred(*files: tuple[str, str], kind: bytes = tarfile.REGTYPE, mode: str = "w:gz") -> bytes:
    """A tar of files, or of links to the given targets."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode=mode) as archive:
        for name, content in files:
            info = tarfile.TarInfo(name)
            info.type, data = kind, content.encode()
            if kind == tarfile.REGTYPE:
                info.size = len(data)
            else:
                info.linkname = content
            archive.addfile(info, io.BytesIO(data) if kind == tarfile.REGTYPE else None)
    return target.getvalue()


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


# ---- what is refused ----------------------------------------------------------------------------------


def bomb(size: int) -> bytes:
    return zipped((f"{LESSON}.ipynb", b"0" * size))


def locked() -> bytes:
    content = bytearray(zipped(("a/attention.ipynb", "{}")))
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.index(sign) + offset
        content[at : at + 2] = struct.pack("<H", 1)
    return bytes(content)


def zip_link() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        info = zipfile.ZipInfo("a/attention.ipynb")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    return target.getvalue()


def nested(depth: int) -> bytes:
    content = zipped(("attention.ipynb", "deep"))
    for _ in range(depth):
        content = zipped(("a.zip", content))
    return content


HARM = {
    "up": (zipped(("../../../../evil.ipynb", "x")), "leads out of the folder"),
    "up in the middle": (zipped(("a/../../../b/attention.ipynb", "x")), "leads out of the folder"),
    "up, Windows": (zipped(("..\\..\\attention.ipynb", "x")), "leads out of the folder"),
    "root": (zipped(("/tmp/evil_attention.ipynb", "x")), "starts at a disk's root"),
    "drive": (zipped(("C:\\evil\\attention.ipynb", "x")), "starts at a disk's root"),
    "dots": (zipped(("...zip", zipped(("attention.ipynb", "x")))), "no notebook in it"),
    "newline": (zipped(("a\nb/attention.ipynb", "x")), "signs that no name should hold"),
    "tag": (zipped(("<script>/attention.ipynb", "x")), "signs that no name should hold"),
    "quote": (zipped(('a"b/attention.ipynb', "x")), "signs that no name should hold"),
    "dash": (zipped(("-rf/attention.ipynb", "x")), "starts with a dash"),
    "long": (zipped(("x" * 220 + "/attention.ipynb", "x")), "too long"),
    "many folders": (zipped(("x/" * 30 + "attention.ipynb", "x")), "too long"),
    "bomb": (bomb(20 * 2**20), "times its size"),
    "large": (bomb(51 * 2**20), "larger than 50 MB"),
    "locked": (locked(), "locked with a password"),
    "bzip2 in zip": (zipped(("a/attention.ipynb", "x"), how=zipfile.ZIP_BZIP2), "packed in a way"),
    "broken": (zipped(("a/attention.ipynb", "x" * 99))[:40], "cannot be read"),
    "damaged": (zipped(("a/attention.ipynb", "some text"), how=0).replace(b"some", b"none"), "cannot be read"),
    "no zip": (b"hello", "cannot be read"),
    "empty": (b"", "cannot be read"),
    "nested": (nested(3), "more than 3 deep"),
    "link in zip": (zip_link(), "a link or a device"),
    "nothing": (zipped(("a/readme.txt", "x")), "no notebook in it"),
    "rar": (zipped(("a/work.rar", "x")), "archives of this kind"),
}
for _kind in ("SYMTYPE", "LNKTYPE", "CHRTYPE", "FIFOTYPE"):
    HARM[_kind] = (tarred(("a/attention.ipynb", "/etc/passwd"), kind=getattr(tarfile, _kind)), "a link or a device")
HARM["up in tar"] = (tarred(("../../../evil_attention.ipynb", "x")), "leads out of the folder")
HARM["tar bomb"] = (tarred(("a/attention.ipynb", "0" * 9 * 2**20)), "unpacks to more than is allowed")
HARM["cut tar"] = (tarred(("a/attention.ipynb", "".join(map(str, range(9999)))))[:5000], "cannot be read")


@pytest.mark.parametrize("harm", HARM)
def test_one_bad_archive_costs_itself_only(course, caplog, harm):
    """Handed in by a student and put there by hand: refused in one sentence, and the others are taken."""
    content, sentence = HARM[harm]
    course.put("platform.zip", zipped(("mallory_1_23456_x.zip", content), ("ada_2_23457_attention.ipynb", "ada")))
    course.put("alone.zip", content)
    course.put("bob_attention.ipynb", b"bob")
    taken = course.collect()
    assert taken.pop("ada_2") == "ada" and taken.pop("bob") == "bob"
    assert not taken
    assert sentence in caplog.text
    assert all("\n" not in record.getMessage() for record in caplog.records)
    assert course.strays() == set()


def test_what_is_good_in_a_bad_archive_is_taken(course, caplog):
    bad = ["../x.ipynb", "/x.ipynb", "-x/attention.ipynb", "a\x1b[2J/attention.ipynb"]
    course.put("class.zip", zipped(*((name, "x") for name in bad), ("ada/attention.ipynb", "ada")))
    assert course.collect() == {"ada": "ada"}
    assert caplog.text.count("Refused") == len(bad)
    assert "\x1b" not in caplog.text


def test_links_put_beside_the_archives_are_not_followed(course, caplog):
    secret = course.root / "secret.ipynb"
    secret.write_text("secret")
    (course.archive / "eve_attention.ipynb").symlink_to(secret)
    os.mkfifo(course.archive / "pipe_attention.ipynb")
    course.put("ada_attention.ipynb", b"ada")
    assert course.collect() == {"ada": "ada"}
    assert caplog.text.count("a link or a device") == 2


def test_bounds_on_entries_and_on_the_whole(course, caplog, monkeypatch):
    monkeypatch.setattr("autograder.intake.lms.MAX_ENTRIES", 5)
    monkeypatch.setattr("autograder.intake.lms.MAX_NESTED_TOTAL", 1000)
    many = [(f"{number}/x.txt", "") for number in range(9)]
    course.put("many.zip", zipped(*many, ("eve/attention.ipynb", "eve")))
    large = zipped(*((f"{number}/attention.ipynb", "x" * 400) for number in range(4)))
    course.put("platform.zip", zipped(("mallory_1_23456_x.zip", large), ("ada_2_23457_attention.ipynb", "ada")))
    taken = course.collect()
    assert "eve" not in taken and taken["ada_2"] == "ada"
    assert "more than 5 files" in caplog.text and "unpacks to more than is allowed" in caplog.text


def test_a_forged_directory_is_not_loaded(course, caplog, monkeypatch):
    monkeypatch.setattr(archives, "MAX_ENTRIES", 10)
    course.put("class.zip", zipped(*((f"{number}.txt", "") for number in range(60))))
    loaded = []
    monkeypatch.setattr(archives.zipfile, "ZipFile", lambda *a: loaded.append(a))
    assert course.collect() == {}
    assert "more than 10 files" in caplog.text and not loaded


# ---- who it is ----------------------------------------------------------------------------------------

STUDENTS = """\
id,first_name,last_name,email,lms_user_id,names
s1,Ada,Lovelace,ada@uni.edu,12345,
s2,Seán,O’Brien,,,Sean O'Brien
s3,明,李,,,李明;limi
s4,Li,Ming,,,
s5,Ming,Li,,,
s6,Bob,Groß,,,bob
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


@pytest.mark.parametrize("name", ["lovelaceada_LATE_12345_678901_attention.ipynb", "adalovelace_12345_1234567_x.ipynb"])
def test_canvas_knows_students_by_number(course, caplog, name):
    (course.root / "students.csv").write_text(STUDENTS, encoding="utf-8")
    course.put("c.zip", zipped((name, "ada")))
    assert course.collect() == {"s1": "ada"}
    assert ("Late, says the platform: 's1'" in caplog.text) == ("LATE" in name)


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
    assert caplog.text.count("its folder or archive says ada, its own name bob") == 2


def test_folders_of_an_archive_are_counted(course, caplog, monkeypatch):
    from autograder.intake import lms

    monkeypatch.setattr(lms, "MAX_ENTRIES", 7)
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for number in range(8):
            info = tarfile.TarInfo(f"folder{number}")
            info.type = tarfile.DIRTYPE
            archive.addfile(info)
    course.put("many.tar", target.getvalue())
    course.put("many.zip", zipped(*((f"folder{number}/", "") for number in range(8))))
    assert course.collect() == {}
    assert caplog.text.count("it holds more than 7 files") == 2


# ---- nbgrader's own command ---------------------------------------------------------------------------


def test_nbgraders_command_collects_a_class(tmp_path):
    """Moodle's and Canvas' archives, one bad entry in each, through the command that instructors type."""
    course = Course(tmp_path)
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
