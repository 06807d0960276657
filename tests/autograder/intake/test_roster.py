"""What `students.csv` and `extensions.csv` say of a student."""

import os
from datetime import datetime

import pytest

from autograder.common.errors import CourseError
from autograder.intake.roster import excused, extension_of

GRANTED = """\
id,lesson,due,excused
ada,attention,2030-01-31 23:59 UTC,
ada,,,yes
bob,attention,,Excused
bob,,2030-02-01,
cyd,,,no
,,,yes
"""


def test_a_line_of_one_lesson_counts_before_the_line_of_all(tmp_path):
    (tmp_path / "extensions.csv").write_text(GRANTED)
    assert excused(tmp_path, "attention") == {"bob"}
    assert excused(tmp_path, "seq2seq") == {"ada"}
    granted = extension_of(tmp_path, "ada", "attention")
    assert (granted.due, granted.excused) == (datetime(2030, 1, 31, 23, 59), False)
    assert extension_of(tmp_path, "bob", "seq2seq").due == datetime(2030, 2, 1)
    assert extension_of(tmp_path, "dan", "attention") is None


def test_a_changed_file_is_read_again(tmp_path):
    path = tmp_path / "extensions.csv"
    assert excused(tmp_path, "attention") == set()
    path.write_text("id,lesson,due,excused\nada,,,yes\n")
    assert excused(tmp_path, "attention") == {"ada"}
    path.write_text("id,lesson,due,excused\nbob,,,yes\n")
    os.utime(path, ns=(1, 1))
    assert excused(tmp_path, "attention") == {"bob"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "id,lesson,due,excused\nada,,,\nbob,,tomorrow,\n",
            "line 3: 'tomorrow' is no time; write 2030-01-31 23:59 UTC",
        ),
        ("student;lesson\nada;\n", "has no column 'id'; its first line names the columns, with commas between"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path, text, says):
    (tmp_path / "extensions.csv").write_text(text)
    with pytest.raises(CourseError, match=says):
        excused(tmp_path, "attention")
