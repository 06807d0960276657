"""Where we reach into other packages: into names that they keep to themselves or never meant to be replaced.

    jsonschema 4.26   leave_out_formats           imports that cost more than a second, and are optional there
    jupytext 1.19     without_extras              what it has for Jupyter's server and for MyST, optional, too
    nbconvert 7.17    without_extras              what it has for attached pictures
    nbformat 5.11     cells_unchecked             the check of each cell that is made
    nbgrader 0.9.6    without_extras              its extensions of Jupyter's server, and what it has for archives
                      course_of                   the folders that everything works in
                      read_times_with             reading of `timestamp.txt`, in two places
                      require_step                the steps that autograding goes through
                      grade_in_one_pass           autograding's two passes over each notebook
                      start                       what a converter tells its log, and nobody else
                      have_alembic_found          a program that it starts by name
                      ask_alembic_here            that program, started for each new gradebook
                      one_engine                  the database engine, made anew at every step
                      find_at_once                the search for each mark and comment by itself
                      load_at_once                the search for each student's marks by itself
                      copy_nothing_beside         the files that travel with a submission
                      folders_to_grade            the submissions that a converter has found
                      read_inbound_names_with     what a folder's name in the exchange tells
                      extracted_folder            where `zip_collect` unpacks

Each function stands for one such place and says why; the version is the one that it was read from. `pyproject.toml`
keeps newer ones out until `tests/autograder/common/` (`test_compat.py`, `test_compat_gradebook.py`) and, for what is
left out or put off, `test_loading.py`, which hold a test per place, have passed with them. IPython's and torch's places
are the sandbox's own, see `sandbox/inside/compat.py` and `light_torch.py` beside it.

A foreign package is imported when a function needs it: this module itself is loaded before everything else.
"""

import contextlib
import functools
import importlib
import logging
import os
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from nbgrader.api import Gradebook
    from nbgrader.apps.api import NbGraderAPI
    from nbgrader.apps.baseapp import NbGrader
    from nbgrader.apps.zipcollectapp import ZipCollectApp
    from nbgrader.converters import Autograde
    from nbgrader.converters.base import BaseConverter
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.exchange.default import Exchange, ExchangeCollect

# What nbgrader's exchange keeps of a folder: its student ("username"), "filename", "timestamp".
Record = dict[str, Any]
# What Python takes for a package that cannot be imported.
ABSENT = cast(ModuleType, None)
# What jsonschema loads if it is there, to look at what strings say of addresses, times and colours.
FORMATS = (
    *("fqdn", "isoduration", "jsonpointer", "rfc3339_validator", "rfc3986_validator", "rfc3987", "rfc3987_syntax"),
    *("uri_template", "webcolors"),
)
# What jupytext loads if it is there, to serve Jupyter and to read MyST.
EXTRAS = ("jupytext.sync_contentsmanager", "jupytext.async_contentsmanager", "markdown_it")
# What nbgrader and nbconvert load and seldom use, in Jupyter's server, for archives, with JupyterHub and for attached
# pictures; and the functions that they take from there at once.
SELDOM: dict[str, tuple[str, ...]] = {
    **{
        f"nbgrader.server_extensions.{name}": ("load_jupyter_server_extension",)
        for name in ("assignment_list", "course_list", "formgrader", "validate_assignment")
    },
    "setuptools.archive_util": ("unpack_archive", "unpack_tarfile", "unpack_zipfile"),
    "requests": (),
    "bs4": ("BeautifulSoup",),
}


def leave_out_formats() -> None:
    """Have jsonschema, which nbformat loads, do without its formats of strings: no notebook is asked for one.

    `rfc3987_syntax` would compile a grammar on import, in 1.5 s, and the others take a twentieth of that. jsonschema is
    made for their absence. Of no use once it is loaded.
    """
    for name in FORMATS:
        sys.modules.setdefault(name, ABSENT)


@contextlib.contextmanager
def without_extras() -> Iterator[None]:
    """Load jupytext, nbgrader and nbconvert without what a command seldom asks of them; what is loaded already stays.

    jupytext is made for the absence of its extras. For the others a module stands there that loads the real one when
    something of it is used. In Jupyter's server nothing is left out: others in it may want all.
    """
    if "jupyter_server" in sys.modules:
        yield
        return
    extras: dict[str, ModuleType] = dict.fromkeys(EXTRAS, ABSENT)
    instead = extras | {name: _put_off(name, functions) for name, functions in SELDOM.items()}
    instead = {name: module for name, module in instead.items() if name not in sys.modules}
    sys.modules.update(instead)
    try:
        yield
    finally:
        for name, module in instead.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


def _put_off(name: str, functions: tuple[str, ...]) -> ModuleType:
    """Return a module that becomes another when something of it is used; its functions, when they are called."""
    module = ModuleType(name)
    # `from it import f` asks for a path before `f`; who looks through all modules asks for other special names.
    special = {"__version__"} if functions else {"__version__", "__path__"}

    def of_the_real_one(wanted: str) -> Any:
        if wanted.startswith("__") and wanted not in special:
            raise AttributeError(wanted)
        if sys.modules.get(name) is module:
            del sys.modules[name]
        return getattr(importlib.import_module(name), wanted)

    def called(function: str) -> Callable[..., Any]:
        return lambda *given, **named: of_the_real_one(function)(*given, **named)

    vars(module).update({function: called(function) for function in functions}, __getattr__=of_the_real_one)
    return module


@contextlib.contextmanager
def cells_unchecked() -> Iterator[None]:
    """Have nbformat make cells without looking each over by its schema, which it compiles for that.

    A lesson's text is read so: what becomes of its cells is checked by us, and the notebooks that are written, whole.
    """
    from nbformat.v4 import nbbase

    check, names = nbbase.validate, vars(nbbase)
    names["validate"] = lambda *_args, **_named: None
    try:
        yield
    finally:
        names["validate"] = check


def course_of(
    part: "NbGraderAPI | NbGrader | Exchange | BaseConverter",
) -> "CourseDirectory":
    """Return the course that a part of nbgrader works in: declared as one that may be missing, and never is."""
    return cast("CourseDirectory", part.coursedir)


# ---- nbgrader: grading --------------------------------------------------------------------------------


def read_times_with(submitted_at: Callable[[Path], datetime | None]) -> None:
    """Have nbgrader ask `submitted_at(folder)` when a folder was handed in; called again, the last one is asked.

    Its own two ways wait for ever on a pipe called `timestamp.txt`, and fail the whole class on what is no time.
    There is no setting for that, and converters and formgrader make the objects themselves, so the classes change.
    """
    from nbgrader.apps.api import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory

    def get_existing_timestamp(self: "CourseDirectory", dest_path: str) -> datetime | None:
        return submitted_at(Path(dest_path))

    def get_submitted_timestamp(self: "NbGraderAPI", assignment_id: str, student_id: str) -> datetime | None:
        folders = course_of(self)
        return submitted_at(Path(folders.format_path(folders.submitted_directory, student_id, assignment_id)))

    setattr(CourseDirectory, get_existing_timestamp.__name__, get_existing_timestamp)
    setattr(NbGraderAPI, get_submitted_timestamp.__name__, get_submitted_timestamp)


def require_step(step: type, sentence: str) -> None:
    """Have autograding fail with this sentence when `step` is not one of its steps; the last call counts.

    The class checks that itself because Jupyter, after an error in a configuration file, drops the whole file and goes
    on: nbgrader would then run student code without the sandbox.
    """
    from nbgrader.converters import Autograde
    from nbgrader.converters.base import BaseConverter, NbGraderException

    def init_notebooks(self: Autograde) -> None:
        if step not in self.autograde_preprocessors:
            self.log.error(sentence)
            raise NbGraderException(sentence)
        BaseConverter.init_notebooks(self)

    setattr(Autograde, init_notebooks.__name__, init_notebooks)


def grade_in_one_pass() -> None:
    """Have autograding convert each notebook once, by `autograde_preprocessors`.

    nbgrader converts twice: it sanitizes the submission, writes it, reads it again and grades it. Our intake has
    already sanitized what it returns.
    """
    from nbgrader.converters import Autograde
    from nbgrader.converters.base import BaseConverter

    def convert_single_notebook(self: Autograde, notebook_filename: str) -> None:
        self.sanitize_preprocessors = self.autograde_preprocessors
        self._init_preprocessors()
        BaseConverter.convert_single_notebook(self, notebook_filename)

    setattr(Autograde, convert_single_notebook.__name__, convert_single_notebook)


class _Heard(logging.Handler):
    """Keeps the error that a converter tells its log; what it raises itself says only that there was one."""

    error: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        self.error = sys.exc_info()[1] or self.error


def start(converter: "BaseConverter") -> None:
    """Run one of nbgrader's converters, quietly. Raises: what went wrong first, not nbgrader's summary of it.

    A converter logs each student's error where it is handled, goes on, and ends in an exception that says only
    that somebody failed. nbgrader's database layer prints tracebacks to tornado's log besides.
    """
    heard = _Heard()
    log = logging.getLogger("autograder.nbgrader")
    log.propagate = False
    log.setLevel(logging.ERROR)
    log.handlers = [heard]
    converter.log = log
    tornados = logging.getLogger("tornado.application")
    if not any(isinstance(handler, logging.NullHandler) for handler in tornados.handlers):
        tornados.addHandler(logging.NullHandler())
    try:
        converter.start()
        return
    except Exception as summary:
        error = heard.error or summary
    raise error  # here, where it keeps its own causes


def have_alembic_found() -> None:
    """Put the folder of this Python on the PATH, where nbgrader looks for `alembic` to bring a gradebook up to date.

    It starts it by name; an interpreter that is called by its path has not got its folder there.
    """
    beside = str(Path(sys.executable).parent)
    if beside not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([beside, os.environ.get("PATH", "")])


def ask_alembic_here() -> None:
    """Have nbgrader ask its migrations in this process which version a new gradebook's tables have.

    It starts `alembic heads` for that, which takes two seconds, since it loads nbgrader once more.
    """
    from nbgrader import api, dbutil

    def get_alembic_version() -> str | None:
        from alembic.script import ScriptDirectory

        return ScriptDirectory(dbutil.ALEMBIC_DIR).get_current_head()

    setattr(api, get_alembic_version.__name__, get_alembic_version)


def _commits_at_the_end() -> type:
    """Return a kind of session that tells the database all at once, when it is closed."""
    from sqlalchemy.orm import Session

    class Together(Session):
        def commit(self) -> None:
            if self.new or self.deleted:  # who made it may look at its keys; a changed mark has nothing to wait for
                self.flush()

        def close(self) -> None:
            try:
                if self.is_active:  # else a statement has failed, and who made it is told
                    super().commit()
            finally:
                super().close()

    return Together


@contextlib.contextmanager
def one_engine() -> Iterator[None]:
    """Keep nbgrader's database engine between students, and its connection; look for its tables and commit once.

    nbgrader makes a new one for every step of every student, and with it compiles the same SQL anew, connects
    again and asks for each table; and it waits for the disk after each cell's mark. That was more than half of the
    time that writing takes. Here a step's marks are written together, when it closes its gradebook. And a gradebook
    that is opened looks for its course, to make it if need be; one that was found stays.
    """
    from nbgrader import api

    names, metadata, made = vars(api), vars(api.Base.metadata), []
    make, create_all, make_sessions = names["create_engine"], api.Base.metadata.create_all, names["sessionmaker"]

    @functools.cache
    def engine(*given: Any, **settings: Any) -> Any:
        made.append(make(*given, **settings))
        vars(made[-1])["dispose"] = lambda: None  # which each step does, and so closes the connection
        return made[-1]

    check_course, found = api.Gradebook.check_course, set[Any]()

    def check_once(gradebook: Any, course_id: str = "default_course", **fields: Any) -> None:
        if (gradebook.engine, course_id) not in found:
            check_course(gradebook, course_id, **fields)
            found.add((gradebook.engine, course_id))

    look, tables = names["inspect"], dict[Any, list[str]]()

    def look_once(engine: Any) -> Any:
        if not tables.get(engine):
            tables[engine] = look(engine).get_table_names()
        return SimpleNamespace(get_table_names=lambda: tables[engine])

    names["create_engine"], metadata["create_all"] = engine, functools.cache(create_all)
    names["inspect"] = look_once
    api.Gradebook.check_course = check_once  # type: ignore[method-assign,assignment]  # that is the seam
    names["sessionmaker"] = functools.cache(functools.partial(make_sessions, class_=_commits_at_the_end()))
    try:
        yield
    finally:
        names["create_engine"], names["sessionmaker"], names["inspect"] = make, make_sessions, look
        api.Gradebook.check_course = check_course  # type: ignore[method-assign]
        del metadata["create_all"]
        for one in made:
            del vars(one)["dispose"]
            one.dispose()


def find_at_once(gradebook: "Gradebook", notebook: str, assignment: str, student: str) -> None:
    """Have a gradebook find the marks and comments of one submitted notebook in two queries.

    nbgrader asks for each by four names, through six tables, and twice for most: half of the time of saving them.
    """
    from nbgrader.api import BaseCell, Comment, Grade

    place = (notebook, assignment, student)
    submitted = gradebook.find_submission_notebook(*place).id
    for kind, name in ((Grade, "find_grade"), (Comment, "find_comment")):
        rows: Any = gradebook.db.query(BaseCell.name, kind).join(kind, kind.cell_id == BaseCell.id)
        known: dict[tuple[str, ...], Any] = {
            (cell, *place): found for cell, found in rows.filter(kind.notebook_id == submitted)
        }
        vars(gradebook)[name] = _found_in(known, getattr(gradebook, name))


def load_at_once(gradebook: "Gradebook", assignment: str) -> Any:
    """Load all submissions of an assignment with marks and comments, in a few queries, and return them to be held.

    nbgrader's objects ask for each of theirs when they are looked at: ten queries a student.
    """
    from nbgrader.api import Assignment, BaseCell, Grade, SubmittedAssignment, SubmittedNotebook
    from sqlalchemy.orm import selectinload

    notebooks = selectinload(SubmittedAssignment.notebooks)
    wanted = [selectinload(SubmittedAssignment.student), selectinload(SubmittedAssignment.assignment)]
    grades = notebooks.selectinload(SubmittedNotebook.grades)
    wanted += [grades.undefer(cast(Any, Grade).max_score), notebooks.selectinload(SubmittedNotebook.comments)]
    query: Any = gradebook.db.query(SubmittedAssignment).join(Assignment)
    submissions = query.filter(Assignment.name == assignment).options(*wanted).all()
    return submissions, gradebook.db.query(BaseCell).all()  # to which marks and comments refer


def _found_in(known: dict[tuple[str, ...], Any], own: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *asked: known[asked] if asked in known else own(*asked)


def copy_nothing_beside(autograde: "Autograde") -> None:
    """Have autograding copy no file from beside a notebook: modules that shadow ours, links, pipes.

    Which files travel is the course's setting `ignore`, which autograding shares with the release; so this
    converter gets a course of its own, equal but for that.
    """
    from nbgrader.coursedir import CourseDirectory

    kept = {name: getattr(autograde.coursedir, name) for name in CourseDirectory.class_trait_names(config=True)}
    autograde.coursedir = CourseDirectory(**(kept | {"ignore": ["*"]}))


def folders_to_grade(autograde: "Autograde") -> dict[str, list[str]]:
    """Return the notebooks that are about to be graded, by folder; what is taken out of it is left alone."""
    return cast(dict[str, list[str]], autograde.assignments)


# ---- nbgrader: collecting -----------------------------------------------------------------------------


def read_inbound_names_with(collect: "ExchangeCollect", read: Callable[[str, Callable[[str], Record]], Record]) -> None:
    """Have `nbgrader collect` ask `read(path, own)` what a folder's name tells; `own(path)` is its own reading.

    Its own reading ends the command for the whole class when one folder's name holds no time.
    """
    own = collect._path_to_record
    vars(collect)["_path_to_record"] = lambda path: read(path, own)


def extracted_folder(app: "ZipCollectApp") -> Path:
    """Return the folder into which `nbgrader zip_collect` unpacks; a plugin that names students is not told."""
    return Path(app._format_collect_path(app.extracted_directory))
