"""Our steps in nbgrader's converters, put there by `nbgrader_config.py`.

    nbgrader autograde           TakeIn (reads the submission), Examine (in Execute's place), KeepGraded, Lateness
    nbgrader generate_feedback   GetGrades, Words, HideTests (no hidden test reaches a student)

Everything else is nbgrader's own; scores, gradebook and folders are where nbgrader's documentation says.
"""

import contextlib
from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, cast

import nbformat
from nbconvert.exporters import NotebookExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbformat import NotebookNode
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import ClearHiddenTests, GetGrades, NbGraderPreprocessor
from traitlets import List, Unicode
from traitlets.config import Config

from autograder import mistakes
from autograder.common import compat
from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.nodes import as_node, code_by_id, grade_id
from autograder.common.paths import gradebook_file
from autograder.common.sentences import T_, Number
from autograder.common.version import workbook_version
from autograder.course.sources import RELEASED, write_source
from autograder.examine.flags import shown
from autograder.examine.ready_made import refuse_ready_made
from autograder.examine.result import Graded, Result
from autograder.examine.store import ResultStore
from autograder.gradebook.copies import refuse_to_replace
from autograder.gradebook.first_screen import LIMIT, REASON, first_reason
from autograder.gradebook.keep import NOT_ASKED, KeepGraded
from autograder.gradebook.late import Lateness, LatePolicy
from autograder.gradebook.ledger import NBGRADER, witness
from autograder.gradebook.log import Log, write_log
from autograder.gradebook.pages import TEMPLATES, FeedbackPage, Words
from autograder.gradebook.release_assignment import ReleaseAssignment
from autograder.gradebook.release_feedback import SECRET, ReleaseFeedback
from autograder.gradebook.secret import course_secret
from autograder.gradebook.state import holds, only_one
from autograder.gradebook.table import Export
from autograder.intake import attempts
from autograder.intake.exchange import Collect
from autograder.intake.folder import secret_of, strangers, submitted_at, why_not
from autograder.intake.lms import LmsCollector, SafeExtractor
from autograder.intake.notebook import Taken, take_in_submission
from autograder.intake.roster import not_asked
from autograder.lesson import release
from autograder.lesson.text import TEST_PREFIX, Lesson
from autograder.lesson.translation import language_of
from autograder.speed.gradebook import ask_alembic_here
from utils.checks.engine.panel import Whys, lines
from utils.common.messages import N_, Message, translate

# The sentence with which nbgrader refuses to grade if its configuration lacks our steps.
WITHOUT_STEPS = (
    "The course's nbgrader_config.py has an error, see above, or sets other steps for autograding; "
    "correct this. Nothing was graded: without the workbook's steps, student code would run as you, "
    "without the sandbox."
)


def configure(config: Config) -> None:
    """Put our steps into nbgrader's converters. Without them nbgrader would run student code without the sandbox.

    If nbgrader lacks a setting, its own classes are changed, see `common/compat.py`.
    """
    compat.put_alembic_on_path()
    ask_alembic_here()
    compat.read_times_with(_time_of)
    compat.require_step(Examine, WITHOUT_STEPS)
    compat.grade_in_one_pass()
    compat.write_alone(alone)
    compat.release_only(RELEASED, lambda source: Course(source.absolute().parents[1]).is_lesson(source))
    # downloaded/ -> submitted/: our code unpacks archives and understands the platforms' file names
    config.ZipCollectApp.extractor_plugin = SafeExtractor
    config.ZipCollectApp.collector_plugin = LmsCollector
    # the exchange -> submitted/: links that a student put there are not followed
    config.ExchangeFactory.collect = Collect
    # source/ -> release/ -> the exchange: without the exam and the mistakes, which are beside the instructors'
    # notebook; always remade, because the lesson may have changed
    config.GenerateAssignment.exporter_class = ReadSource
    config.GenerateAssignment.preprocessors = release.PREPROCESSORS
    config.GenerateAssignment.force = True
    config.ExchangeReleaseAssignment.force = True
    config.ExchangeFactory.release_assignment = ReleaseAssignment
    # submitted/ -> autograded/ and gradebook.db. nbgrader's own sanitizing is not needed, because intake writes all
    # cells of the release again, without outputs, with the release's metadata and ids, and without hidden tests.
    config.Autograde.exporter_class = TakeIn
    config.Autograde.autograde_preprocessors = [Examine, KeepGraded, Lateness]
    config.AssignLatePenalties.plugin_class = config.AssignLatePenalties.get("plugin_class", LatePolicy)
    # gradebook.db -> grades.csv
    config.ExportApp.plugin_class = config.ExportApp.get("plugin_class", Export)
    # autograded/ -> feedback/ -> the exchange: cleaned of everything in an answer that a browser would run
    config.GenerateFeedback.preprocessors = [GetGrades, Words, HideTests, CSSHTMLHeaderPreprocessor]
    config.ExchangeFactory.release_feedback = ReleaseFeedback
    config.HTMLExporter.sanitize_html = True
    # a class of its own, because settings of HTMLExporter apply to formgrader's pages as well
    config.GenerateFeedback.exporter_class = FeedbackPage
    config.FeedbackPage.template_name = "workbook"
    config.FeedbackPage.extra_template_basedirs = [str(TEMPLATES)]
    config.FeedbackPage.preprocessors = []
    # autograded/ -> formgrader's pages, with model answers, rubrics and figures beside the answers
    config.HTMLExporter.preprocessors = ["autograder.gradebook.beside.BesideAnswers"]
    config.HTMLExporter.filters = {"markdown2html": "autograder.gradebook.pages.safe_markdown"}
    # before formgrader's own folders, which are set by now: templates/formgrade loads no MathJax from the network
    config.HTMLExporter.extra_template_basedirs.prepend([str(TEMPLATES)])


@contextlib.contextmanager
def alone(folder: Path, url: str) -> Iterator[None]:
    """Hold the course's lock for one of nbgrader's own commands, and note in the ledger which marks it changes."""
    course = Course(folder)
    if holds(course):  # one of our commands, which notes them itself
        yield
        return
    with only_one(course):
        witness(course, url)
        try:
            yield
        finally:
            witness(course, url, NBGRADER)


def _time_of(folder: Path) -> datetime | None:
    return submitted_at(folder)[0]


class ReadSource(NotebookExporter):
    """nbgrader's reader of the instructors' notebook, which is remade first: the lesson may have changed."""

    def __init__(self, **kwargs: Any):
        super().__init__(**kwargs)
        if isinstance(self.parent, GenerateAssignment):
            course = release.course_in(self.config)
            for folder in self.parent.assignments:
                if (name := Path(folder).name) in course.lessons:
                    write_source(Lesson.load(name, course))


class TakeIn(NotebookExporter):
    """nbgrader's notebook reader, which fails for no submission, because an error would end the class's grading."""

    def __init__(self, **kwargs: Any):
        """Keep the converter from copying other files, and leave out submissions that cannot be taken in."""
        super().__init__(**kwargs)
        if isinstance(self.parent, Autograde):
            course = release.course_in(self.config)
            self._refuse_a_lost_gradebook(course)
            compat.copy_nothing_beside(self.parent)
            folders = self.parent.assignments  # the notebooks to be graded, by folder
            unknown = strangers(course, (Path(folder).parent.name for folder in folders))
            for folder in list(folders):
                name, student = Path(folder).name, Path(folder).parent.name
                reason = T_("{student!r} is not in students.csv.", student=student) if student in unknown else ""
                if name in course.lessons and (reason := reason or why_not(Path(folder, f"{name}.ipynb"))):
                    self.log.error("Not graded: %s: %s", ascii(folder), reason)
                    del folders[folder]

    def _refuse_a_lost_gradebook(self, course: Course) -> None:
        """Stop before nbgrader makes a new gradebook in place of a lost one. Raises: NbGraderException."""
        try:
            refuse_to_replace(course, gradebook_file(str(cast(Any, self.parent).coursedir.db_url)))
        except GradingError as error:
            self.log.error(str(error))
            raise NbGraderException(str(error)) from None

    def from_filename(
        self, filename: str, resources: dict[str, Any] | None = None, **_: Any
    ) -> tuple[Any, dict[str, Any]]:
        """Return the text of the graded notebook; add the files to be written beside it as `resources["outputs"]`."""
        resources = ResourcesDict() if resources is None else resources
        name = resources["nbgrader"]["notebook"]
        resources["metadata"] = ResourcesDict(name=name, path="")
        language = self.config.Translate.get("language", "en")
        taken = take_in_submission(filename, Lesson.load(name, release.course_in(self.config)), language)
        note_intake(taken)
        leave_out(taken.notebook, not_asked(release.course_in(self.config), name, resources["nbgrader"]["student"]))
        for message in taken.mended:
            self.log.info("Mended: %s", message.render())
        if taken.refused:
            self.log.warning("Refused: %s", taken.refused.render())
        folder = Path(filename).parent
        submitted = _time_of(folder)
        # nbgrader sees by the time whether a submission is newer; the student needs the secret to fetch feedback.
        files = {"timestamp.txt": submitted.isoformat(" ")} if submitted else {}
        files |= {SECRET: secret} if (secret := secret_of(folder)) else {}
        if files:
            resources["outputs"] = {file: text.encode() for file, text in files.items()}
        notebook, resources = taken.notebook, self._init_resources(resources)
        # nbconvert (7.17) would copy the notebook three more times and validate it twice
        for step in self._preprocessors:
            notebook, resources = step(notebook, resources)
        nbformat.validate(notebook, relax_add_props=True)
        return nbformat.v4.writes(notebook) + "\n", resources


def note_intake(taken: Taken) -> None:
    """Note intake's changes in the notebook: in the metadata for `Examine`, above the first cell for the student."""
    notebook, language = taken.notebook, taken.language
    notebook.metadata["workbook"]["language"] = language
    notebook.metadata["workbook"]["flags"] = taken.flags
    notebook.metadata["workbook"]["mended"] = [message.to_json() for message in taken.mended]
    if taken.refused:
        notebook.metadata["workbook"]["refused"] = {"state": taken.state, "reason": taken.refused.to_json()}
    if taken.mended:
        heading = translate(N_("Before grading, this notebook was repaired:"), language)
        text = "\n".join([heading, "", *(f"- {message.render(language)}" for message in taken.mended)])
        notebook.cells.insert(0, nbformat.v4.new_markdown_cell(text, id="mended"))


def leave_out(notebook: NotebookNode, names: Collection[str]) -> None:
    """Make questions of a notebook ungraded, because they do not count for its student; note them in the metadata."""
    notebook.metadata["workbook"][NOT_ASKED] = sorted(names)
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("grade") and marks["grade_id"].removeprefix(TEST_PREFIX) in names:
            marks["grade"] = False
            del marks["points"]


class Examine(NbGraderPreprocessor):
    """Grades a notebook: takes the result from the store, or examines the notebook in the sandbox."""

    not_allowed = List(Unicode(), help="Calls of libraries that answer no question, see examine/ready_made.py.").tag(
        config=True
    )

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """Write outputs and points into the notebook, and reasons and flags into the student's log."""
        lesson = Lesson.load(resources["nbgrader"]["notebook"], release.course_in(self.config))
        # imported here, because these modules load torch, which doubles the start of nbgrader's other commands
        from autograder.examine.examiner import examine
        from autograder.sandbox.parent import shared_sandbox

        result = examine(nb, lesson, shared_sandbox(lesson.course), ResultStore(), course_secret(lesson.course))
        refuse_ready_made(result, lesson, code_by_id(nb), self.not_allowed)
        result.leave_out(nb.metadata.workbook.get(NOT_ASKED, ()))
        result.flags += nb.metadata.get("workbook", {}).get("flags", [])
        result.flags += attempts.flags(lesson.course, lesson.name, resources["nbgrader"]["student"])
        write_outputs(nb, result, lesson)
        nb.metadata.workbook.version = workbook_version()
        log_result(result, nb, lesson.course, resources["nbgrader"]["student"])
        for flag in result.flags:
            self.log.warning("Flag: %s", flag)
        return nb, resources


def write_outputs(notebook: NotebookNode, result: Result, lesson: Lesson) -> None:
    """Write into the notebook the outputs of its cells, and below each test cell the verdicts and the points."""
    language = language_of(notebook)
    whys = mistakes.whys_of(lesson)
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        graded = result.question(grade_id(cell))
        if graded is not None:
            cell.outputs = verdict_outputs(graded, language, whys)
            cell.metadata["workbook"] = {REASON: first_reason(graded.verdicts, language), LIMIT: graded.limit(language)}
        else:
            cell.outputs = [as_node(output) for output in result.outputs.get(cell.id, [])]


def verdict_outputs(graded: Graded, language: str, whys: Whys) -> list[NotebookNode]:
    """Return a test cell's outputs: a line for each test, then the points as a plain float, as nbgrader reads them."""
    points, most = Number(graded.points or 0.0, language), Number(graded.max_points, language)
    passed = sum(verdict.passed for verdict in graded.verdicts)
    earned = {"points": f"{points:.4g}", "max_points": f"{most:g}", "count": len(graded.verdicts), "passed": passed}
    heading = N_("Tests passed: {passed} of {count}; points: {points} of {max_points}")
    said = [Message(heading, earned).render(language), *filter(None, [graded.limit(language)])]
    text = "\n".join([*said, *lines(graded.verdicts, language, whys)]) + "\n"
    value = {"text/plain": repr(graded.points)}
    return [
        as_node({"output_type": "stream", "name": "stdout", "text": text}),
        as_node({"output_type": "execute_result", "data": value, "metadata": {}, "execution_count": 1}),
    ]


def log_result(result: Result, notebook: NotebookNode, course: Course, student: str) -> None:
    """Keep reasons and flags for reports, in the course's language. Raises: OSError."""
    language = course.language
    mended = [Message.from_json(m).render(language) for m in notebook.metadata.get("workbook", {}).get("mended", [])]
    flags = [shown(flag, language) for flag in result.flags]
    record = result.to_json(language) | {"mended": mended, "flags": flags, "version": workbook_version()}
    if refused := notebook.metadata.get("workbook", {}).get("refused"):
        record |= {"state": refused["state"], "refused": Message.from_json(refused["reason"]).render(language)}
    write_log(course, result.lesson, student, cast(Log, record))


class HideTests(ClearHiddenTests):
    """Removes the hidden tests from the feedback; nbgrader would leave them in."""

    enforce_metadata = False
