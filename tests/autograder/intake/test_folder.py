"""Names and times of students' folders: what passes by one sign or byte, and what does not."""

from pathlib import Path

import pytest

from autograder.common.course import Course
from autograder.intake.folder import (
    MAX_NAME,
    MAX_STAMP,
    beside,
    is_linked,
    submissions,
    submitted_at,
    why_not,
    wrong_name,
)

LESSON = "attention"


def place(course: Path, student: str, name: str = f"{LESSON}.ipynb") -> Path:
    path = course / "submitted" / student / LESSON / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")
    return path


def test_a_class_is_found_in_the_order_of_names_and_others_get_a_sentence(tmp_path):
    for student in ("cyd", "ada", "[x]"):
        place(tmp_path, student)
    renamed = place(tmp_path, "bob", "b.ipynb")
    (tmp_path / "submitted" / "eve" / "captioning").mkdir(parents=True)
    (tmp_path / "submitted" / "dan").mkdir()
    (tmp_path / "submitted" / "dan" / LESSON).symlink_to("nowhere")
    found, refused = submissions(Course(tmp_path), LESSON)
    assert list(found) == ["ada", "cyd"]
    assert found["ada"] == tmp_path / "submitted" / "ada" / LESSON / f"{LESSON}.ipynb"
    assert refused == {
        "[x]": "The folder's name has a character that nbgrader takes for a pattern; rename it.",
        "bob": f"There is no attention.ipynb in {renamed.parent}, but 'b.ipynb'; rename the one to be graded.",
        "dan": f"There is no attention.ipynb in {tmp_path}/submitted/dan/attention; ask for it, or remove the folder.",
    }


def test_three_other_notebooks_are_named(tmp_path):
    for name in ("d.ipynb", "c.ipynb", "b.IPYNB", "a.ipynb", "a.txt"):
        path = place(tmp_path, "ada", name)
    wanted = path.with_name(f"{LESSON}.ipynb")
    assert "but 'a.ipynb', 'b.IPYNB', 'c.ipynb'; rename" in why_not(wanted)
    assert beside(wanted) == ["a.ipynb", "b.IPYNB", "c.ipynb", "d.ipynb"]
    assert beside(path.with_name("a.ipynb")) == ["b.IPYNB", "c.ipynb", "d.ipynb"]
    assert beside(tmp_path / "nowhere" / "a.ipynb") == []


@pytest.mark.parametrize(
    ("name", "says"),
    [
        *((sign, "takes for a pattern") for sign in ("a*", "a?", "[a", "a]")),
        *((sign, "cannot be printed") for sign in ("a\tb", "a\x7fb", "a\u2028b")),
        *((sign, "begins or ends with a space") for sign in (" a", "a ")),
        ("x" * 201, "longer than 200 bytes"),
        ("é" * 100 + "x", "longer than 200 bytes"),
        ("x" * 200, ""),
        ("é" * 100, ""),
        ("a b", ""),
        ("(a)", ""),
    ],
)
def test_a_folders_name(name, says):
    assert MAX_NAME == 200
    assert says in wrong_name(name) if says else wrong_name(name) == ""


def test_links_on_the_way_are_seen_at_the_lessons_and_the_students_folder(tmp_path):
    path = place(tmp_path, "ada")
    (tmp_path / "submitted" / "bob").symlink_to("ada")
    (tmp_path / "submitted" / "cyd").mkdir()
    (tmp_path / "submitted" / "cyd" / LESSON).symlink_to(path.parent)
    (tmp_path / "elsewhere").symlink_to("submitted")
    linked = {name: is_linked(tmp_path / "submitted" / name / LESSON / path.name) for name in ("ada", "bob", "cyd")}
    assert linked == {"ada": False, "bob": True, "cyd": True}
    assert not is_linked(tmp_path / "elsewhere" / "ada" / LESSON / path.name)  # the course's own is no student's


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("2026-11-20 13:45", True),
        ("2026-11-20T13:45:10Z", True),
        ("2026-11-20 13:45:10.123456789 UTC", True),
        ("2026-11-20 13:45:10.1234567890 UTC", False),
        ("1999-11-20 13:45:10", False),
        ("2026-11-20 13:45:10 UTC x", False),
        ("x 2026-11-20 13:45:10", False),
        ("2026-13-20 13:45:10", False),
        ("", False),
    ],
)
def test_a_time_is_one_that_nbgrader_writes(tmp_path, text, known):
    (tmp_path / "timestamp.txt").write_text(text)
    time, wrong = submitted_at(tmp_path)
    assert (time is not None, wrong == "") == (known, known)


def test_without_a_time_nothing_is_known_and_nothing_wrong(tmp_path):
    assert submitted_at(tmp_path) == (None, "")


def test_a_time_is_read_to_a_hundred_bytes(tmp_path):
    text = "2026-11-20 13:45:10 UTC"
    (tmp_path / "timestamp.txt").write_text(text + " " * (MAX_STAMP - len(text)))
    assert submitted_at(tmp_path)[0].isoformat() == "2026-11-20T13:45:10"
    assert MAX_STAMP == 100
