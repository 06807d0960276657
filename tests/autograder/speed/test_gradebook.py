"""nbgrader's gradebook with one engine and few queries answers as it would without, see `speed/gradebook.py`."""

import contextlib
import inspect
import sqlite3
import subprocess
import sys

import pytest
from nbgrader import api, dbutil
from nbgrader.api import Gradebook
from sqlalchemy import event, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import OperationalError

from autograder.speed import gradebook as speed


@pytest.fixture(autouse=True)
def alembic(monkeypatch):
    """nbgrader makes new gradebooks without its program, and that is put back after the test."""
    monkeypatch.setattr(api, "get_alembic_version", api.get_alembic_version)
    speed.ask_alembic_here()


def test_alembic_says_here_what_its_program_says():
    heads = "import sys\nfrom alembic.config import main\nmain(['-c', sys.argv[1], 'heads'])"
    with dbutil._temp_alembic_ini("sqlite://") as settings:
        said = subprocess.run(
            [sys.executable, "-c", heads, settings], capture_output=True, text=True, check=True
        ).stdout
    assert said.split()[0] == api.get_alembic_version()
    assert "get_alembic_version()" in inspect.getsource(Gradebook.__init__)


def test_one_engine_serves_all_gradebooks_and_is_given_back(tmp_path):
    url, own = f"sqlite:///{tmp_path}/gradebook.db", (Gradebook.__init__, Gradebook.close)
    with speed.one_engine():
        engines, connections = [], []
        for _ in range(2):
            with Gradebook(url) as gradebook:
                engines.append(gradebook.engine)
                connections.append(gradebook.db.connection().connection.driver_connection)
    assert engines[0] is engines[1], "nbgrader's Gradebook makes its engine elsewhere than in __init__"
    assert connections[0] is connections[1], "nbgrader's Gradebook closes its connection in another way"
    assert (Gradebook.__init__, Gradebook.close) == own
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connections[0].execute("SELECT 1")


def test_with_one_engine_a_step_tells_the_gradebook_at_its_end_and_once(tmp_path, monkeypatch):
    path = tmp_path / "gradebook.db"
    Gradebook(f"sqlite:///{path}").close()
    commits, own = [], sqlite.dialect.do_commit
    monkeypatch.setattr(sqlite.dialect, "do_commit", lambda self, to: commits.append(to) or own(self, to))

    def known() -> list:
        with contextlib.closing(sqlite3.connect(path)) as other:
            return other.execute("SELECT id FROM student ORDER BY id").fetchall()

    with speed.one_engine(), Gradebook(f"sqlite:///{path}") as gradebook:
        commits.clear()  # of the look for its tables
        for student in ("ada", "bob", "eve"):
            gradebook.add_student(student)
        assert [student.id for student in gradebook.students] == ["ada", "bob", "eve"]
        assert (known(), commits) == ([], [])
    assert (known(), len(commits)) == ([("ada",), ("bob",), ("eve",)], 1)


def test_with_one_engine_what_is_changed_again_and_again_is_told_once(tmp_path, monkeypatch):
    told, own = [], sqlite.dialect.do_execute
    monkeypatch.setattr(
        sqlite.dialect,
        "do_execute",
        lambda self, cursor, said, *rest: told.append(said) or own(self, cursor, said, *rest),
    )
    url = f"sqlite:///{tmp_path}/gradebook.db"
    with speed.one_engine():
        with Gradebook(url) as gradebook:
            ada = gradebook.add_student("ada")
            assert any(said.startswith("INSERT INTO student") for said in told)  # who is new has a key at once
            for name in ("A", "B", "C"):
                ada.first_name = name
                gradebook.db.commit()
        assert len([said for said in told if said.startswith("UPDATE student")]) == 1
        with Gradebook(url) as gradebook:
            assert gradebook.find_student("ada").first_name == "C"


def test_with_one_engine_what_the_gradebook_refuses_is_told(tmp_path):
    with speed.one_engine(), Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as gradebook:
        gradebook.add_student("ada")
        with pytest.raises(api.InvalidEntry):
            gradebook.add_student("ada")

    def broken() -> None:
        with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as gradebook:
            gradebook.db.execute(text("DELETE FROM nowhere"))

    with pytest.raises(OperationalError, match="no such table"), speed.one_engine():
        broken()


def test_one_engine_looks_for_the_tables_of_each_gradebook_once(tmp_path, monkeypatch):
    looked, asked = [], []
    create_all, inspect = type(api.Base.metadata).create_all, api.inspect
    monkeypatch.setattr(api, "inspect", lambda engine: asked.append(str(engine.url)) or inspect(engine))
    monkeypatch.setattr(
        type(api.Base.metadata), "create_all", lambda self, bind: looked.append(str(bind.url)) or create_all(self, bind)
    )
    urls = [f"sqlite:///{tmp_path}/{name}.db" for name in ("one", "other")]
    with speed.one_engine():
        for url in urls * 3:
            Gradebook(url).close()
    assert looked == urls
    assert asked == urls
    Gradebook(urls[0]).close()
    assert looked == [*urls, urls[0]]
    assert asked == [*urls, urls[0]]


def test_one_engine_looks_for_the_course_of_each_gradebook_once(tmp_path, monkeypatch):
    looked, check_course = [], Gradebook.check_course
    monkeypatch.setattr(
        Gradebook, "check_course", lambda self, course_id: looked.append(course_id) or check_course(self, course_id)
    )
    noting = Gradebook.check_course
    urls = [f"sqlite:///{tmp_path}/{name}.db" for name in ("one", "other")]
    with speed.one_engine():
        for url in urls * 3:
            for course in ("default_course", "second"):
                with Gradebook(url, course) as gradebook:
                    assert course in [one.id for one in gradebook.db.query(api.Course)]
    assert looked == ["default_course", "second"] * 2
    assert Gradebook.check_course is noting


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # of nbgrader's add_submission
def test_a_class_is_loaded_in_as_many_queries_as_one_student(tmp_path):
    asked = []
    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as gradebook:
        for lesson in ("lesson", "other"):
            gradebook.add_assignment(lesson)
            gradebook.add_notebook(lesson, lesson)
            for cell in ("one", "two"):
                gradebook.add_grade_cell(cell, lesson, lesson, max_score=7, cell_type="code")
                gradebook.add_solution_cell(f"{cell}_answer", lesson, lesson)
        for number in range(12):
            gradebook.add_student(f"student{number}")
            gradebook.add_submission("lesson", f"student{number}")
            gradebook.find_grade("two", "lesson", "lesson", f"student{number}").manual_score = number / 2
        gradebook.add_submission("other", "student0")
        gradebook.db.commit()
    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as gradebook:
        event.listen(gradebook.engine, "before_cursor_execute", lambda *what: asked.append(what[2]))
        submissions, _cells = speed.load_at_once(gradebook, "lesson")
        number = len(asked)
        assert number < 9
        assert gradebook.assignment_submissions("lesson") == submissions
        for submission in submissions:
            [notebook] = submission.notebooks
            grades = {grade.name: (grade.score, grade.max_score) for grade in notebook.grades}
            assert grades == {"one": (0, 7), "two": (int(submission.student.id.removeprefix("student")) / 2, 7)}
            assert {comment.name for comment in notebook.comments} == {"one_answer", "two_answer"}
            assert submission.assignment.name == "lesson"
        assert len(asked) == number + 1, asked[number + 1 :]  # nbgrader's own look for the submissions


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")  # of nbgrader's add_submission
def test_marks_and_comments_are_found_at_once_as_they_are_found_one_by_one(tmp_path):
    asked, place, names = [], ("lesson", "lesson", "ada"), ("one", "two")
    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as gradebook:
        gradebook.add_assignment("lesson")
        gradebook.add_notebook("lesson", "lesson")
        for cell in names:
            gradebook.add_grade_cell(cell, "lesson", "lesson", max_score=7, cell_type="code")
            gradebook.add_solution_cell(f"{cell}_answer", "lesson", "lesson")
        for student in ("bob", "ada"):
            gradebook.add_student(student)
            gradebook.add_submission("lesson", student)
        marks = [gradebook.find_grade(cell, *place) for cell in names]
        comments = [gradebook.find_comment(f"{cell}_answer", *place) for cell in names]
        speed.find_at_once(gradebook, *place)
        event.listen(gradebook.engine, "before_cursor_execute", lambda *what: asked.append(what[2]))
        assert [gradebook.find_grade(cell, *place) for cell in names] == marks
        assert [gradebook.find_comment(f"{cell}_answer", *place) for cell in names] == comments
        assert asked == []
        assert gradebook.find_grade("one", "lesson", "lesson", "bob") not in marks
        with pytest.raises(api.MissingEntry):
            gradebook.find_grade("three", *place)
