"""What each command hands on to the module that does the work: every option reaches it, and its result is said."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from autograder.__main__ import main
from autograder.common.course import WORKBOOK, Course
from autograder.common.paths import ROOT
from autograder.course import build, bundle, catalogues, edits, new
from autograder.examine.store import DAY, ResultStore
from autograder.gradebook import converters, grade, roll, state
from autograder.gradebook.summary import RunSummary
from autograder.lesson.text import Lesson
from autograder.reports import after_grading, export, report, terminal
from autograder.sandbox import container, launch
from autograder.site import make


class Calls(list):
    """Notes calls in place of doing them: (name, arguments, named arguments)."""

    def stub(self, monkeypatch, module, name, result=None):
        def noted(*args, **named):
            self.append((name, args, named))
            return result

        monkeypatch.setattr(module, name, noted)

    def of(self, name):
        """Return the arguments of the only call of a function."""
        ((_, args, named),) = [call for call in self if call[0] == name]
        return args, named

    def names(self):
        return [name for name, _, _ in self]


@pytest.fixture
def calls():
    return Calls()


def typed(*words, exit_code=0):
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert done.exit_code == exit_code, done.output
    return done.output


@pytest.fixture
def grading(calls, monkeypatch, tmp_path):
    """A course of two submissions that are new, as far as `grade` can tell."""
    calls.stub(monkeypatch, new, "ensure_configured")
    calls.stub(monkeypatch, container, "instead")
    calls.stub(monkeypatch, launch, "begin_if_possible")
    calls.stub(monkeypatch, grade, "all_unchanged", 0)
    calls.stub(monkeypatch, grade, "grade", RunSummary(failed={}))
    calls.stub(monkeypatch, converters, "feedback", (["ada"], {}))
    calls.stub(monkeypatch, converters, "settle")
    calls.stub(monkeypatch, after_grading, "print_class")
    return calls


def test_grade_hands_on_the_lesson_the_course_and_the_jobs(grading, tmp_path):
    typed("grade", "attention", "--course", tmp_path)
    args, named = grading.of("grade")
    assert args == ("attention",) and callable(named.pop("on_step"))
    assert named == {"course": Course(tmp_path), "jobs": 1, "scheduler": "", "force": False}
    assert grading.of("feedback") == ((Course(tmp_path), "attention"), {"force": False})
    (course, done), named = grading.of("settle")
    assert (course, type(done), named) == (Course(tmp_path), state.Done, {"feedback": True})
    (course, lesson, summary), _ = grading.of("print_class")
    assert (course, lesson.name, summary.failed) == (Course(tmp_path), "attention", {})
    assert "begin_if_possible" in grading.names()  # one job: the sandbox's parent is started in advance


def test_grade_hands_its_options_to_a_container_and_to_the_grader(grading, tmp_path):
    typed("grade", "seq2seq", "--course", tmp_path, "--jobs", 3, "--force", "--no-feedback")
    options = ["grade", "seq2seq", "--course", str(tmp_path), "--jobs", "3", "--force", "--no-feedback"]
    assert grading.of("instead") == ((options, tmp_path), {})
    named = grading.of("grade")[1]
    assert (named["jobs"], named["force"]) == (3, True)
    assert "feedback" not in grading.names() and grading.of("settle")[1] == {"feedback": False}
    assert "begin_if_possible" not in grading.names() and "all_unchanged" not in grading.names()


def test_grade_on_a_cluster_needs_no_container(grading, tmp_path):
    typed("grade", "attention", "--course", tmp_path, "--scheduler", "tcp://head:8786")
    assert grading.of("grade")[1]["scheduler"] == "tcp://head:8786"
    assert not {"instead", "begin_if_possible"} & set(grading.names())


def test_a_courses_own_lesson_is_examined_here_also_with_a_cluster(grading, monkeypatch, tmp_path):
    monkeypatch.setattr(Course, "add_modules", lambda self: None)  # this process keeps the workbook's modules
    (tmp_path / "source" / "mine").mkdir(parents=True)
    (tmp_path / "source" / "mine" / "lesson.py").touch()
    typed("grade", "mine", "--course", tmp_path, "--scheduler", "tcp://head:8786")
    assert grading.of("grade")[1]["scheduler"] == "" and "instead" in grading.names()


def test_grade_says_what_failed_in_its_exit_code(grading, calls, monkeypatch, tmp_path):
    calls.stub(monkeypatch, grade, "grade", RunSummary(failed={"eve": "no notebook"}))
    typed("grade", "attention", "--course", tmp_path, exit_code=1)


def test_grade_goes_on_without_a_page_that_cannot_be_made_and_owes_it(grading, calls, monkeypatch, tmp_path):
    calls.stub(monkeypatch, converters, "feedback", (["ada"], {"eve": "her markdown is odd"}))
    typed("grade", "attention", "--course", tmp_path, exit_code=1)
    assert grading.of("print_class")[0][2].without_page == {"eve": "her markdown is odd"}
    assert grading.of("settle")[1] == {"feedback": False}  # the next run tries again


def test_grade_that_has_nothing_to_do_says_so(grading, calls, monkeypatch, tmp_path):
    calls.stub(monkeypatch, grade, "all_unchanged", 25)
    shown = typed("grade", "attention", "--course", tmp_path)
    assert shown == "All submissions (25) are graded and unchanged; --all lists them.\n"
    assert "grade" not in grading.names()
    owed = state.Done(Course(tmp_path), "attention").owed
    owed.parent.mkdir(parents=True, exist_ok=True)
    owed.touch()  # feedback that an interrupted run still has to write
    typed("grade", "attention", "--course", tmp_path)
    assert "grade" in grading.names() and "begin_if_possible" not in grading.names()


def test_grade_tells_of_a_configuration_that_it_wrote(grading, calls, monkeypatch, tmp_path):
    calls.stub(monkeypatch, new, "ensure_configured", Path("nbgrader_config.py"))
    assert "wrote nbgrader_config.py: with it, nbgrader's own" in typed("grade", "attention", "--course", tmp_path)


def test_a_lesson_that_there_is_not_is_refused_before_anything_is_done(grading, tmp_path):
    assert "nosuch" in typed("grade", "nosuch", "--course", tmp_path, exit_code=1)
    assert grading.names() == []


def test_new_hands_on_what_a_course_is_called(calls, monkeypatch, tmp_path):
    calls.stub(monkeypatch, new, "make", [tmp_path / "nbgrader_config.py"])
    options = ("--name", "dl2026", "--language", "fr", "--address", "https://example.org", "--exchange", "/srv/x")
    shown = typed("new", tmp_path, *options)
    assert calls.of("make") == ((tmp_path, "dl2026", "fr", "https://example.org", Path("/srv/x")), {})
    assert shown.splitlines() == [
        f"écrit\u00a0: {tmp_path / 'nbgrader_config.py'}",
        f"Les étapes suivantes, dans l'ordre, sont dans {tmp_path / 'README.md'}",
    ]


def test_bundle_says_each_files_size(calls, monkeypatch, tmp_path):
    (tmp_path / "bundle.zip").write_bytes(bytes(12_345_000))
    calls.stub(monkeypatch, bundle, "write", [tmp_path / "bundle.zip"])
    told = SimpleNamespace(Stamp={"address": "https://example.org"})
    monkeypatch.setattr("autograder.gradebook.configuration.configuration", lambda folder: told)
    assert typed("bundle", "--course", tmp_path) == "wrote bundle.zip (12,345 kB)\n"
    assert calls.of("write") == ((Course(tmp_path), "https://example.org", []), {})


def test_report_is_a_page_or_a_table(calls, monkeypatch, tmp_path):
    calls.stub(monkeypatch, terminal, "print_questions")
    calls.stub(monkeypatch, report, "write_report", [tmp_path / "attention.html"])
    typed("report", "attention", "--course", tmp_path)
    (course, lesson), _ = calls.of("print_questions")
    assert (course, lesson.name) == (Course(tmp_path), "attention")
    assert typed("report", "attention", "--course", tmp_path, "--html") == f"wrote {tmp_path / 'attention.html'}\n"
    assert calls.names() == ["print_questions", "write_report"]


def test_export_writes_where_it_is_told_and_says_who_waits(calls, monkeypatch, tmp_path):
    calls.stub(monkeypatch, export, "export", "a,b\n")
    members = {state: roll.Member(state, state) for state in (roll.WAITS, roll.GRADED, roll.EXCUSED)}
    calls.stub(monkeypatch, roll, "roll_of", roll.Roll(members, []))
    shown = typed("export", "attention", "--to", "moodle", "--course", tmp_path)
    assert (tmp_path / "attention-moodle.csv").read_text() == "a,b\n"
    assert shown.endswith("Marks that are not final, because an answer waits for a person: 1.\n")
    assert calls.of("export")[0][0] == Course(tmp_path) and calls.of("export")[0][2] == "moodle"
    calls.stub(monkeypatch, roll, "roll_of", roll.Roll({}, []))
    shown = typed("export", "attention", "--course", tmp_path, "-o", tmp_path / "marks.csv")
    assert shown == f"wrote {tmp_path / 'marks.csv'}\n"


def test_clean_hands_on_days_and_megabytes(calls, monkeypatch):
    calls.stub(monkeypatch, ResultStore, "clean", "removed nothing")
    assert typed("clean", "--days", 3, "--most", 7) == "removed nothing\n"
    assert calls.of("clean")[1] == {"most_bytes": 7 * 2**20, "most_seconds": 3 * DAY}


def test_container_hands_on_the_command_with_its_own_options(calls, monkeypatch, tmp_path):
    calls.stub(monkeypatch, container, "require_engine", "podman")
    calls.stub(monkeypatch, container, "run")
    typed("container", "--course", tmp_path, "nbgrader", "autograde", "attention", "--force")
    assert calls.of("run") == (("podman", ["nbgrader", "autograde", "attention", "--force"], tmp_path), {})


def test_try_without_a_file_names_it(tmp_path):
    assert "There is no file" in typed("try", "attention", tmp_path / "none.ipynb", exit_code=1)


def test_try_in_a_container_is_told_where_the_notebook_is(calls, monkeypatch, tmp_path):
    notebook = tmp_path / "mine.ipynb"
    notebook.write_text("{}")
    monkeypatch.setattr(container, "instead", lambda *args: calls.append(args) or sys.exit(0))
    typed("try", "attention", notebook, "--json")
    ((words, _, there),) = calls
    assert words == ["try", "attention", str(notebook), "--json"] and there == notebook


def test_compose_reads_cells_from_files(tmp_path):
    (tmp_path / "answer.py").write_text("loss = None  # mine")
    notebook = tmp_path / "made.ipynb"
    cell = next(cell.grade_id for cell in Lesson.load("attention", WORKBOOK).of_role("solution") if cell.grade_id)
    typed("compose", "attention", "--cell", f"{cell}={tmp_path / 'answer.py'}", "-o", notebook)
    sources = ["".join(cell["source"]) for cell in json.loads(notebook.read_text())["cells"]]
    assert "loss = None  # mine" in sources
    for wrong in (cell, f"{cell}={tmp_path / 'none.py'}"):
        told = typed("compose", "attention", "--cell", wrong, "-o", notebook, exit_code=1)
        assert f"--cell {wrong} cannot be used" in " ".join(told.split())
    (tmp_path / "answer.py").write_bytes(b"\xff\xfe")
    told = typed("compose", "attention", "--cell", f"{cell}={tmp_path / 'answer.py'}", "-o", notebook, exit_code=1)
    assert "is not UTF-8 text" in " ".join(told.split())


def test_build_says_what_it_wrote_or_what_is_out_of_date(calls, monkeypatch):
    changed = [ROOT / "notebooks/attention.ipynb", ROOT / "release/x"]
    calls.stub(monkeypatch, build, "build", changed)
    calls.stub(monkeypatch, catalogues, "states", [])
    calls.stub(monkeypatch, catalogues, "behind", [])
    calls.stub(monkeypatch, catalogues, "update_all", {})
    assert typed("build", "attention", "--force") == "wrote notebooks/attention.ipynb\nwrote release/x\n"
    (lessons,), named = calls.of("build")
    assert [lesson.name for lesson in lessons] == ["attention"] and named == {"check": False, "force": True}
    told = typed("build", "--check", exit_code=1)
    assert "Out of date: notebooks/attention.ipynb, release/x; run `make build`" in told
    calls.stub(monkeypatch, build, "build", [])
    assert typed("build", "--check") == "all generated files are up to date\n"
    assert calls.names().count("update_all") == 1  # only where something is written
    calls.stub(monkeypatch, catalogues, "behind", ["fr.po (texts that it lacks: 2)"])
    told = typed("build", "--check", exit_code=1)
    assert "Out of date: fr.po (texts that it lacks: 2); run `make build`, then translate" in told


def test_build_pulls_edits_first(calls, monkeypatch):
    edited = SimpleNamespace(name="attention")
    monkeypatch.setattr(edits, "pull", lambda lesson: edited if lesson.name == "attention" else None)
    calls.stub(monkeypatch, build, "build", [])
    calls.stub(monkeypatch, catalogues, "states", [])
    calls.stub(monkeypatch, catalogues, "behind", [])
    calls.stub(monkeypatch, catalogues, "update_all", {})
    shown = typed("build", "attention", "seq2seq", "--pull").splitlines()
    assert shown[:2] == ["attention: the edit is now in the text", "seq2seq: no edit in the notebook"]
    first, second = calls.of("build")[0][0]
    assert first is edited and second.name == "seq2seq"


def test_build_shows_translations_that_are_wrong_and_fails_by_them_when_it_checks(calls, monkeypatch):
    calls.stub(monkeypatch, build, "build", [])
    calls.stub(monkeypatch, catalogues, "behind", [])
    calls.stub(monkeypatch, catalogues, "update_all", {})
    states = [
        catalogues.CatalogueState(ROOT / "fr.po", [], 0, 0),
        catalogues.CatalogueState(ROOT / "zh.po", ["a formula is gone"], 0, 0),
        catalogues.CatalogueState(ROOT / "x.po", [], 1, 0),
        catalogues.CatalogueState(ROOT / "pt.po", [], 0, 0, 7),
    ]
    calls.stub(monkeypatch, catalogues, "states", states)
    shown = typed("build")
    assert "zh.po: 1 to mend\n  a formula is gone\n" in shown and "x.po: 1 stale" in shown and "fr.po" not in shown
    assert "pt.po: 7 in English until translated" in shown
    assert "Translations must be corrected: zh.po: a formula is gone." in typed("build", "--check", exit_code=1)
    calls.stub(monkeypatch, catalogues, "states", [states[0], states[3]])
    assert "pt.po: 7 in English" in typed("build", "--check")  # a language that has begun fails nothing


def test_format_says_what_it_filled(calls, monkeypatch):
    calls.stub(monkeypatch, build, "tidy_all", [ROOT / "source/attention/lesson.py", ROOT / "source/seq2seq/lesson.py"])
    assert typed("format") == "wrote source/attention/lesson.py\nwrote source/seq2seq/lesson.py\n"
    assert calls.of("tidy_all")[0][1] is False
    told = typed("format", "--check", exit_code=1)
    assert "not filled evenly in source/attention/lesson.py, source/seq2seq/lesson.py; run `make format`" in told
    calls.stub(monkeypatch, build, "tidy_all", [])
    assert typed("format", "attention") == "all prose is filled evenly\n"


def test_translate_says_what_each_catalogue_lacks(calls, monkeypatch):
    calls.stub(monkeypatch, catalogues, "update_all", {"fr.po": (2, 1), "zh.po": (0, 0), "x.po": (0, 3)})
    assert typed("translate").splitlines() == [
        "fr.po: 2 texts to translate, 1 text marked fuzzy, to be reviewed",
        "zh.po: complete",
        "x.po: 3 texts marked fuzzy, to be reviewed",
    ]


def test_site_says_where_it_lies(calls, monkeypatch, tmp_path):
    (tmp_path / "index.html").write_bytes(bytes(2_500_000))
    calls.stub(monkeypatch, make, "make", ["https://example.org"])
    shown = typed("site", "--to", tmp_path, "--jobs", 3)
    assert calls.of("make") == ((tmp_path,), {"jobs": 3})
    assert "1 addresses elsewhere, which were not checked:\n  https://example.org\n" in shown
    assert shown.endswith(f"wrote {tmp_path / 'index.html'} and everything that belongs to it (2.5 MB)\n")
    calls.clear()
    typed("site", "--to", tmp_path, "--quick")
    assert calls.of("make")[1] == {"jobs": 0}


def test_install_says_what_it_wrote(calls, monkeypatch):
    calls.stub(monkeypatch, new, "install", [Path("bin/workbook")])
    assert typed("install") == "wrote bin/workbook\n"
    assert calls.of("install") == ((Path(sys.prefix),), {})


def test_demo_runs_in_a_container_where_it_must(calls, monkeypatch):
    from autograder import demo

    calls.stub(monkeypatch, container, "instead")
    calls.stub(monkeypatch, demo, "run")
    typed("demo", "--jobs", 5)
    assert calls.of("instead") == ((["demo", "--jobs", "5"], ROOT), {}) and calls.of("run") == ((5,), {})
