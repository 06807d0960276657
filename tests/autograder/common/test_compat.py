"""Every place where we reach into another package is still as it was read: one test per place of `common/compat.py`.

A test here that fails after an update says which place has to be read again; the bounds are in `pyproject.toml`.
"""

import contextlib
import importlib.metadata
import inspect
import logging
import os
import re
import shutil
import sys
from datetime import datetime
from pathlib import Path

import pytest
from jinja2 import Environment
from nbconvert.exporters import HTMLExporter, NotebookExporter
from nbgrader import api
from nbgrader.apps.api import NbGraderAPI
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions, Execute
from traitlets.config import Config

from autograder.common import compat
from autograder.common.errors import GradingError
from autograder.common.paths import ROOT
from autograder.speed.gradebook import ask_alembic_here


def parameters(function) -> list[str]:
    return list(inspect.signature(function).parameters)


@pytest.fixture(autouse=True)
def nbgraders_own_steps(monkeypatch):
    """Here nbgrader may autograde with its own steps, whatever another test has configured."""
    if "init_notebooks" in vars(Autograde):
        monkeypatch.delattr(Autograde, "init_notebooks")


def test_the_version_that_is_installed_is_one_that_was_tried():
    newer, older = re.findall(r'"nbgrader>=([\d.]+),<([\d.]+);', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    bounds = newer if sys.version_info >= (3, 11) else older
    least, below = (tuple(map(int, bound.split("."))) for bound in bounds)
    installed = tuple(map(int, importlib.metadata.version("nbgrader").split(".")))
    assert least <= installed < below, f"nbgrader {installed} was not tried: read it again, see common/compat.py"


# ---- nbgrader's times -----------------------------------------------------------------------------------


@pytest.fixture
def own_times(monkeypatch):
    """nbgrader's classes, put back after the test as they were."""
    for kind, name in ((CourseDirectory, "get_existing_timestamp"), (NbGraderAPI, "get_submitted_timestamp")):
        monkeypatch.setattr(kind, name, kind.__dict__[name])


def test_both_places_where_nbgrader_reads_times_ask_us(own_times, tmp_path):
    asked = []
    times = {"ada": datetime(2026, 11, 20, 13, 45, 10), "bob": None}

    def submitted_at(folder: Path) -> datetime | None:
        asked.append(folder)
        return times[folder.parent.name]

    for _ in range(2):  # a configuration may be loaded twice
        compat.read_times_with(submitted_at)
    course = CourseDirectory(root=str(tmp_path))
    assert course.get_existing_timestamp(str(tmp_path / "ada" / "lesson")) == times["ada"]
    assert NbGraderAPI(course).get_submitted_timestamp("lesson", "bob") is None
    assert asked == [tmp_path / "ada" / "lesson", tmp_path / "submitted" / "bob" / "lesson"]


def test_nbgrader_reads_times_nowhere_else():
    """By another name, or in a third place, a pipe called timestamp.txt would hold up the class again."""
    folder = Path(api.__file__).parent
    modules = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.py")}
    naming = {name for name, path in modules.items() if "timestamp.txt" in path.read_text(encoding="utf-8")}
    replaced = {"coursedir.py", "apps/api.py"}
    writing = {"apps/zipcollectapp.py", "exchange/default/submit.py"}
    nbgraders_own = {"exchange/default/release_feedback.py"}  # reads what generate_feedback has written
    found = {name for name in naming if not name.startswith("tests/")}
    assert found == replaced | writing | nbgraders_own, "nbgrader names timestamp.txt in other modules: read them"


# ---- nbgrader's converters ------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def alembic(monkeypatch):
    """nbgrader makes new gradebooks without its program, and all is put back after the test."""
    monkeypatch.setenv("PATH", os.environ["PATH"])
    monkeypatch.setattr(api, "get_alembic_version", api.get_alembic_version)
    ask_alembic_here()


@pytest.fixture
def course(tmp_path, monkeypatch) -> Config:
    """The configuration of an empty course; what another test's `require_step` asks is put aside."""
    monkeypatch.setattr(Autograde, "init_notebooks", BaseConverter.init_notebooks)
    config = Config()
    config.CourseDirectory.root = str(tmp_path)
    config.CourseDirectory.assignment_id = "lesson"
    return config


def test_a_converter_tells_its_log_what_went_wrong_first(course, tmp_path):
    """nbgrader itself raises a summary, which names no cause."""
    source = tmp_path / "source" / "lesson" / "lesson.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text("{ this is no notebook")
    converter = GenerateAssignment(coursedir=CourseDirectory(config=course), config=course)
    with pytest.raises(Exception) as raised:
        compat.start(converter)
    assert not isinstance(raised.value, NbGraderException), "nbgrader's converters no longer log with the exception"
    assert "Notebook does not appear to be JSON" in str(raised.value)


def test_a_converter_that_fails_before_any_student_says_why(course):
    """Without a submission there is nothing to log, and nbgrader's own error is the first."""
    with pytest.raises(Exception, match="lesson"):
        compat.start(Autograde(coursedir=CourseDirectory(config=course), config=course))


def test_tracebacks_of_the_database_layer_go_nowhere(course):
    assert api.app_log.name == "tornado.application", "nbgrader's api logs by another name: quiet that one"
    for _ in range(2):
        with pytest.raises(Exception, match="lesson"):
            compat.start(Autograde(coursedir=CourseDirectory(config=course), config=course))
    silent = [handler for handler in api.app_log.handlers if isinstance(handler, logging.NullHandler)]
    assert len(silent) == 1


def test_nbgrader_finds_its_program_for_gradebooks(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    for _ in range(2):
        compat.put_alembic_on_path()
    assert os.environ["PATH"].split(os.pathsep)[1:] == [str(tmp_path)]
    assert shutil.which("alembic"), "alembic no longer lies beside this Python"


def test_autograding_copies_nothing_from_beside_and_keeps_all_other_settings(course):
    course.CourseDirectory.max_file_size = 17
    course.CourseDirectory.submitted_directory = "handed"
    autograde = Autograde(coursedir=CourseDirectory(config=course), config=course)
    before = autograde.coursedir
    compat.copy_nothing_beside(autograde)
    assert autograde.coursedir.ignore == ["*"]
    assert before.ignore != ["*"], "the release's list of files would be empty as well"
    settings = set(CourseDirectory.class_trait_names(config=True)) - {"ignore"}
    assert {name: getattr(before, name) for name in settings} == {
        name: getattr(autograde.coursedir, name) for name in settings
    }


def test_folders_to_grade_are_those_that_are_converted(course, tmp_path):
    for student in ("ada", "bob"):
        folder = tmp_path / "submitted" / student / "lesson"
        folder.mkdir(parents=True)
        (folder / "lesson.ipynb").write_text("{}")
    autograde = Autograde(coursedir=CourseDirectory(config=course), config=course)
    autograde.init_notebooks()
    assert {
        Path(folder).parent.name: [Path(path).name for path in paths] for folder, paths in autograde.assignments.items()
    } == {
        "ada": ["lesson.ipynb"],
        "bob": ["lesson.ipynb"],
    }, "nbgrader keeps what it is about to convert elsewhere than in `assignments`"


def test_autograding_converts_a_notebook_once_by_its_grading_steps(course, monkeypatch):
    converted = []

    def convert(self, name):
        converted.append((name, self._input_directory, [type(step) for step in self.exporter._preprocessors]))

    monkeypatch.setattr(Autograde, "convert_single_notebook", Autograde.convert_single_notebook)
    monkeypatch.setattr(BaseConverter, "convert_single_notebook", convert)
    compat.grade_in_one_pass()
    autograde = Autograde(coursedir=CourseDirectory(config=course), config=course)
    autograde.autograde_preprocessors, autograde.exporter = [Execute], NotebookExporter()
    autograde.convert_single_notebook("lesson.ipynb")
    assert converted == [("lesson.ipynb", "submitted", [Execute])]


# ---- nbgrader's collecting ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Autograde, GenerateAssignment])
def test_converters_that_write_the_gradebook_hold_the_courses_lock(course, monkeypatch, kind):
    def taken(_folder, _url):
        raise GradingError("Another one is at work.")

    monkeypatch.setattr(kind, "start", kind.start)  # put back afterwards
    compat.write_alone(taken)
    folders = CourseDirectory(config=course)
    with pytest.raises(NbGraderException, match=r"^Another one is at work\.$"):
        kind(coursedir=folders, config=course).start()
    held = []
    compat.write_alone(lambda folder, url: contextlib.nullcontext(held.append((folder, url))))
    with contextlib.suppress(NbGraderException):
        kind(coursedir=folders, config=course).start()
    assert held == [(Path(folders.root), folders.db_url)]


# ---- what our classes take the place of -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "known"),
    [
        (ClearSolutions.preprocess_cell, ["self", "cell", "resources", "cell_index"]),
        (ExchangeCollect.init_src, ["self"]),
        (ExchangeCollect._path_to_record, ["self", "path"]),
        (ExchangeCollect.copy_files, ["self"]),
        (ExchangeCollect.do_copy, ["self", "src", "dest", "log"]),
        (ExtractorPlugin.extract, ["self", "archive_path", "extracted_path"]),
        (FileNameCollectorPlugin.collect, ["self", "submitted_file"]),
        (NotebookExporter.from_filename, ["self", "filename", "resources", "kw"]),
        (HTMLExporter.markdown2html, ["self", "context", "source"]),
    ],
    ids=lambda value: getattr(value, "__qualname__", ""),
)
def test_what_we_override_or_call_is_still_called_so(method, known):
    assert parameters(method) == known, f"{method.__qualname__} takes other arguments by now: read its callers again"


def test_what_we_set_on_foreign_classes_is_still_there():
    assert ClearHiddenTests.class_traits()["enforce_metadata"], "HideTests would be refused for its cells' metadata"
    assert {"code_stub", "text_stub"} <= set(ClearSolutions.class_trait_names())


def test_nbconverts_markdown_shows_a_cells_attachments():
    """`pages.safe_markdown` cleans what this public filter renders, instead of building nbconvert's renderer itself."""
    environment = Environment()
    environment.filters["markdown"] = HTMLExporter().markdown2html
    template = environment.from_string("{{ text | markdown }}")
    attached = {"dot.png": {"image/png": "aGVsbG8="}}
    html = template.render(text="*x* ![a dot](attachment:dot.png)", cell={"attachments": attached})
    assert "<em>x</em>" in html
    assert 'src="data:image/png;base64,aGVsbG8="' in html


def test_autograding_refuses_to_go_on_without_a_step(course, tmp_path, monkeypatch):
    monkeypatch.setattr(Autograde, "init_notebooks", BaseConverter.init_notebooks)
    compat.require_step(Execute, "Mend the configuration.")
    autograde = Autograde(coursedir=CourseDirectory(config=course), config=course)
    autograde.autograde_preprocessors = []
    with pytest.raises(Exception, match="Mend the configuration"):
        autograde.start()
