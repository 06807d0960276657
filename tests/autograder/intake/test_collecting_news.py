"""What collecting tells at its end, which times it keeps, and what a second collecting leaves or replaces."""

import logging
import shutil

import pytest
from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.coursedir import CourseDirectory

from autograder.common.course import Course
from autograder.intake.lms import LmsCollector, SafeExtractor, put_aside
from autograder.intake.places import Place, places_of
from tests.helpers.collecting import BLACKBOARD, LESSON, MOODLE, CollectingCourse, zipped

CANVAS = "lovelaceada_12345_678901_attention.ipynb"
LATE = "hoppergrace_LATE_77_888888_attention.ipynb"
HEAD = "Identifier,Last modified (submission)\n"


@pytest.fixture
def course(tmp_path, caplog) -> CollectingCourse:
    caplog.set_level(logging.INFO)
    return CollectingCourse(tmp_path / "course")


def stamp(course: CollectingCourse, student: str, text: str | None = None) -> str:
    """Return what a student's timestamp.txt holds, "" for none; after writing `text`, if there is any."""
    path = course.root / "submitted" / student / LESSON / "timestamp.txt"
    if text is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return path.read_text() if path.exists() else ""


def collect(course: CollectingCourse, **options: bool) -> dict[str, str]:
    """Collect with options of the collector that the helper does not have."""
    app = ZipCollectApp(
        extractor_plugin=SafeExtractor, collector_plugin=LmsCollector, force=options.pop("force", False)
    )
    app.config.LmsCollector.update(options)
    app.coursedir = CourseDirectory(root=str(course.root), assignment_id=LESSON)
    app.log = logging.getLogger("collecting")
    app.init_plugins()
    app.extract_archive_files()
    app.process_extracted_files()
    return {path.parts[-3]: path.read_text() for path in (course.root / "submitted").rglob("*.ipynb")}


def test_notebooks_refused_files_and_unknown_students_are_counted(course, caplog):
    (course.root / "students.csv").write_text("id,names\nada,lovelaceada\n")
    course.put("class.zip", zipped((CANVAS, "a"), (LATE, "g")))
    course.put("x.ipynb", b"nobody's")
    course.collect()
    assert "Found notebooks of 2 students; refused 1 files; 1 students are not known." in caplog.text
    said = [line for line in caplog.text.splitlines() if "Whose is it?" in line]
    assert len(said) == 1 and "'hoppergrace_77' is not in students.csv; write it into `names` there" in said[0]


def test_who_is_late_by_the_platforms_word_is_named_and_the_others_counted(course, caplog):
    course.put("class.zip", zipped((CANVAS, "a"), (LATE, "g"), ("bo_5_55555_attention.ipynb", "b")))
    course.collect()
    assert "The platform says late, but not when: 'hoppergrace_77'; write the time into" in caplog.text
    assert "when anybody handed in: 2 students will not count as late" in caplog.text
    caplog.clear()
    stamp(course, "hoppergrace_77", "2026-11-20 10:00:00 UTC")
    stamp(course, "bo_5", "2026-11-20 10:00:00 UTC")
    course.collect(force=True)
    assert "The platform says late" not in caplog.text and "one student will not count as late" in caplog.text


def test_times_written_by_hand_are_kept_while_the_notebook_is_the_same(course):
    course.put("class.zip", zipped((CANVAS, "a"), (LATE, "g")))
    course.collect()
    stamp(course, "hoppergrace_77", "2026-11-20 10:00:00 UTC")
    stamp(course, "lovelaceada_12345", "2026-11-20 11:00:00 UTC")
    course.put("class.zip", zipped((CANVAS, "a, changed"), (LATE, "g")))
    assert course.collect(force=True) == {"lovelaceada_12345": "a, changed", "hoppergrace_77": "g"}
    assert stamp(course, "hoppergrace_77").startswith("2026-11-20 10:00:00") and not stamp(course, "lovelaceada_12345")


@pytest.mark.parametrize(("number", "says"), [(1, "when one student handed in"), (2, "when 2 students handed in")])
def test_moodles_students_without_a_time_are_counted(course, caplog, number, says):
    names = [f"Ada Lovelace_{n}_assignsubmission_file_attention.ipynb" for n in range(1, 4)]
    course.put("class.zip", zipped(*((name, "x") for name in names)))
    known = "".join(f'Participant {n},"Friday, 20 November 2026, 1:45 PM"\n' for n in range(1 + number, 4))
    course.put("grades.csv", (HEAD + "Participant 9,-\n" + known).encode())
    course.collect()
    assert says in caplog.text and "put its grading worksheet beside the archive" in caplog.text


def test_moodle_with_all_times_asks_for_nothing(course, caplog):
    course.put("class.zip", zipped((f"{MOODLE}attention.ipynb", "a")))
    course.put("Grades.CSV", (HEAD + 'Participant 123456,"Friday, 20 November 2026, 13:45"\n').encode())
    course.collect()
    assert "worksheet" not in caplog.text and "count as late" not in caplog.text
    assert stamp(course, "Ada_Lovelace_123456") == "2026-11-20 13:45:00"


def test_a_submission_stays_unless_it_is_forced(course, caplog):
    course.put("class.zip", zipped((CANVAS, "first")))
    course.collect()
    course.put("class.zip", zipped((CANVAS, "second")))
    shutil.rmtree(course.root / "downloaded" / LESSON / "extracted")
    assert course.collect() == {"lovelaceada_12345": "first"}
    assert "lovelaceada_12345 has a submission; --force replaces it." in caplog.text
    assert course.collect(force=True) == {"lovelaceada_12345": "second"}


@pytest.mark.parametrize(
    ("there", "kept"),
    [
        ("2026-11-20 13:45:11", True),
        ("2026-11-20 13:45:10", False),  # of equal times the archive's counts
        ("2026-11-20 13:45:09", False),
        ("no time", False),
    ],
)
def test_a_newer_submission_from_elsewhere_stays_if_asked(course, there, kept):
    course.put("class.zip", zipped((f"{BLACKBOARD}_attention.ipynb", "archive")))
    stamp(course, "ada", there)
    (course.root / "submitted" / "ada" / LESSON / f"{LESSON}.ipynb").write_text("elsewhere")
    assert collect(course, force=True, keep_newer=True) == {"ada": "elsewhere" if kept else "archive"}
    assert collect(course, force=True) == {"ada": "archive"}


def test_a_platforms_own_name_is_noted_and_a_name_by_hand_is_not(course):
    course.put("class.zip", zipped((CANVAS, "a"), ("bob_attention.ipynb", "b")))
    course.collect()
    assert places_of(Course(course.root), LESSON) == {"lovelaceada_12345": Place("canvas", CANVAS)}


def test_what_lay_under_another_name_is_put_aside_whole_and_replaces_what_was_there(tmp_path):
    for stage in ("submitted", "feedback"):
        for student, lesson in (("ada_1", LESSON), ("ada_1", "gpt"), ("bob", LESSON)):
            path = tmp_path / stage / student / lesson / "file"
            path.parent.mkdir(parents=True)
            path.write_text(f"{stage} of {student}")
    old = tmp_path / ".grading" / "aside" / "submitted" / "ada_1" / LESSON / "older"
    old.parent.mkdir(parents=True)
    old.touch()
    put_aside(Course(tmp_path), "ada_1", LESSON)
    aside = tmp_path / ".grading" / "aside"
    assert {path.relative_to(aside).as_posix() for path in aside.rglob("*") if path.is_file()} == {
        f"{stage}/ada_1/{LESSON}/file" for stage in ("submitted", "feedback")
    }
    assert not (tmp_path / "submitted" / "ada_1" / LESSON).exists()
    assert (tmp_path / "submitted" / "ada_1" / "gpt" / "file").exists()
    assert (tmp_path / "submitted" / "bob" / LESSON / "file").exists()
    put_aside(Course(tmp_path), "ada_1", "gpt")
    assert not (tmp_path / "submitted" / "ada_1").exists() and (tmp_path / "submitted" / "bob").exists()


def test_a_worksheet_that_is_a_link_is_not_read(course, tmp_path, caplog):
    (tmp_path / "secret.csv").write_text(HEAD + 'Participant 123456,"Friday, 20 November 2026, 13:45"\n')
    course.put("class.zip", zipped((f"{MOODLE}attention.ipynb", "a")))
    (course.archive / "grades.csv").symlink_to(tmp_path / "secret.csv")
    course.collect()
    assert not stamp(course, "Ada_Lovelace_123456") and "when one student handed in" in caplog.text
