"""Every command of README and docs is typed by a test: here, or elsewhere, or it is said why not.

The instructor's page is walked in `test_docs_walked.py`. Here the other pages' commands are typed in their order, as
far as they can be: `HERE`. Of each other, `ELSEWHERE` names the test that types it or does the same in its process,
and `NOT_TYPED` says why none does.
"""

import ast
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder import demo
from autograder.__main__ import main
from autograder.common.course import WORKBOOK, Course
from autograder.common.paths import ROOT
from autograder.gradebook import books
from autograder.lesson.text import Lesson
from benchmarks.proof.__main__ import main as proof
from tests.docs.test_docs import FENCED, PAGES, name_of, text_of
from tests.helpers.typed import workbook

PROGRAMS = "python|workbook|nbgrader|make|pip|pytest|conda|source|sudo|sysctl|chmod|jupyter|git"
TYPED = re.compile(rf"(?:[A-Z_]+=\S+ )*(?:(?:{PROGRAMS}) [^…]+|\. \S+)")

WALKED = "test_docs_walked.py::test_five_commands_lead_from_an_empty_folder_to_marks"
MARKER = "autograder/marking/test_markers.py::test_a_markers_server_has_no_other_address"
TERM = "test_docs_walked.py::test_the_terms_commands_work_in_that_course"
SUITE = "test_verdicts.py::test_a_sample_in_this_process"
CLUSTER = "test_dask.py::test_what_a_dead_worker_had_to_do_is_done_by_another"
DASK = "test_dask.py::test_the_commands_that_administrators_read_are_dasks_own"
OWN = "test_own_lessons.py::test_their_mistakes_are_named_and_cost_their_points"
WATCH = "gradebook/test_watching.py::test_the_command_watches_until_ctrl_c_ends_it"
LEDGER = "gradebook/test_ledger.py"
LTI = "lti/test"
SENDS = f"{LTI}_marks.py::test_the_command_sends_the_lessons_that_have_marks_and_fails_for_a_refused_one"
AGAIN = "test_again.py::test_last_terms_course_is_copied_with_its_dates_moved"
DOWNLOAD = "test_download.py::test_all_files_arrive"
BUILD = "test_build.py::test_the_second_build_changes_nothing"
CATALOGUES = "test_catalogues.py::test_bringing_all_up_to_date_loses_no_translation_and_counts_what_is_left_to_do"
BUNDLE = "test_bundle.py::test_a_course_s_folder_and_releases_of_today_and_of_last_week"

OURS = {"autograder": main, "benchmarks.proof": proof}

HERE = {
    "make demo",
    "workbook try attention notebooks/en/attention.ipynb",
    "python -m autograder translate",
    "python -m benchmarks.proof verdicts attention --quick --only softmax_over_queries",
}
ELSEWHERE = {
    "git pull": "test_update.py::test_a_pull_brings_new_points_questions_and_its_version",
    "make attacks": "attacks/test_attacks.py::test_attack",
    "make build": BUILD,
    "make bundle": BUNDLE,
    "make format": "test_wrapping.py::test_the_lessons_are_tidy",
    "make site": "browser/test_site.py::test_no_byte_is_of_a_solution_an_exam_or_a_model_answer",
    "make slides": "test_teaching.py::test_drawings_are_written_for_slides",
    "make verdicts": "test_verdicts.py::test_every_question_through_the_sandbox",
    "nbgrader generate_assignment": "test_opening.py::test_nbgraders_own_commands_never_lose_the_modules",
    "python -m autograder translate --drop-obsolete": CATALOGUES,
    "python -m autograder translate --same": CATALOGUES,
    "python -m autograder translate --templates FOLDER": CATALOGUES,
    "workbook bundle": BUNDLE,
    "workbook compose clusters --cell nearest=mine.py -o out.ipynb": OWN,
    "workbook watch --jobs 2": WATCH,
    "workbook watch": WATCH,
    "workbook open LESSON": OWN,
    "workbook open NAME": OWN,
    "workbook open attention --points self_attention=8": (
        "test_opening.py::test_points_are_set_in_the_course_and_a_wrong_name_leaves_its_file_alone"
    ),
    "workbook open": "gradebook/test_opening.py::test_students_date_and_notebook_are_where_nbgrader_looks",
    "workbook connect": f"{LTI}_launch.py::test_only_a_teachers_click_in_the_same_browser_connects_the_course",
    "workbook connect gpt": f"{LTI}_launch.py::test_a_lesson_may_have_a_registration_of_its_own",
    "workbook connect --show": (
        f"{LTI}_launch.py::test_first_the_course_says_what_to_enter_and_never_shows_the_private_key"
    ),
    "workbook roster": f"{LTI}_roster.py::test_the_command_shows_what_changes_and_writes_it_after_a_yes",
    "workbook roster --drop": f"{LTI}_roster.py::test_lines_of_students_who_left_are_removed_when_that_is_said",
    "workbook send": SENDS,
    "workbook send attention": SENDS,
    "workbook send attention --replace": (
        f"{LTI}_marks.py::test_a_mark_by_a_teacher_is_left_even_before_ours_and_replaced_when_that_is_said"
    ),
    "workbook translate": "test_own_lessons.py::test_what_there_is_to_translate_is_listed_in_the_course_s_language",
    "workbook try clusters out.ipynb": "test_own_lessons.py::test_one_notebook_is_tried",
    "workbook collect": WALKED,
    "workbook collect LESSON": WALKED,
    "workbook feedback LESSON --to moodle|canvas": "test_give_back.py::test_moodle_finds_each_student_by_its_number",
    "workbook grade": WALKED,
    "workbook mark LESSON": "browser/test_marking.py::test_the_command_opens_the_page_in_the_course",
    "workbook mark attention": "browser/test_marking.py::test_the_command_opens_the_page_in_the_course",
    "workbook mark LESSON --marker NAME": MARKER,
    "workbook mark attention --marker anna": MARKER,
    "workbook clean": TERM,
    "nbgrader autograde attention": TERM,
    "nbgrader collect": WALKED,
    "python -m autograder build --check": "test_build.py::test_check_sees_a_difference_and_writes_nothing",
    "python -m autograder build --pull": "test_build.py::test_pull_brings_the_edit_into_the_text",
    "python -m autograder compose attention --cell self_attention=mine.py -o out.ipynb": TERM,
    "python -m autograder container nbgrader autograde attention": "test_container.py",
    "python -m autograder install": (
        "test_new_course.py::test_the_command_works_from_any_folder_and_another_configuration_is_kept"
    ),
    "python -m autograder new DIR --name NAME": WALKED,
    "python -m autograder site --quick": "browser/test_site.py::test_outputs_stand_below_their_cells",
    "python -m autograder try attention out.ipynb": TERM,
    "python -m benchmarks.proof verdicts --attacks --only marks": "attacks/test_attacks.py::test_attack",
    "python -m benchmarks.proof pairs attention": (
        "test_verdicts.py::test_two_mistakes_at_once_lose_points_and_are_not_told_of_a_third"
    ),
    "python -m benchmarks.by_ear attention": "alive/test_by_ear.py::test_of_an_output_its_words_are_heard",
    "python -m benchmarks.proof own-code gpt": (
        "utils/checks/test_own_code.py::test_a_sample_of_keys_is_right_in_two_precisions"
    ),
    "python -m benchmarks.proof trips": "proof/test_trips.py",
    "python -m benchmarks.proof trips attention": "proof/test_trips.py",
    "python -m benchmarks.proof lti": f"{LTI}_roster.py::test_in_drawn_rosters_nobody_gets_another_persons_line",
    "python -m benchmarks.proof values": "examine/test_bounds.py",
    "python -m benchmarks.proof term": "proof/test_term.py::test_nobody_vanishes_in_a_class_that_hands_in_by_every_way",
    "python -m benchmarks.proof slips attention": (
        "test_verdicts.py::test_a_slip_loses_points_and_is_told_of_nothing_else"
    ),
    "python -m benchmarks.proof verdicts attention --quick": SUITE,
    "python -m benchmarks.proof verdicts attention --quick --seeds 4": (
        "test_verdicts.py::test_no_verdict_flips_over_many_seeds"
    ),
    "python -m benchmarks.lesson_times NAME": (
        "test_prose_claims.py::test_cells_take_as_long_as_the_lesson_says_and_a_lesson_three_minutes"
    ),
    "python -m benchmarks.published": "test_published.py::test_our_checks_and_a_published_one_judge_the_same_answer",
    "python -m utils.download coco": DOWNLOAD,
    "python -m utils.download tatoeba": DOWNLOAD,
    "workbook export attention --to moodle": TERM,
    "workbook history STUDENT": f"{LEDGER}::test_history_tells_a_mark_in_sentences",
    "workbook new --from OLD --shift 52w": AGAIN,
    "workbook new next --name dl-27 --from term --shift 52w": AGAIN,
    "workbook restore": f"{LEDGER}::test_a_lost_empty_or_damaged_gradebook_is_put_back_from_copy_and_ledger",
    "workbook grade attention --force": "test_pauses.py::test_force_examines_again_who_was_stopped_and_nobody_else",
    "workbook grade attention --jobs 8": WALKED,
    "workbook grade attention --scheduler tcp://head:8786": CLUSTER,
    "workbook grade attention --scheduler tcp://FIRST-HOST:8786": CLUSTER,
    "workbook try attention submitted/ada/attention/attention.ipynb --json": TERM,
    "python -m dask scheduler --host head --port 8786 --no-dashboard": DASK,
    "PYTHONPATH=/srv/workbook OMP_NUM_THREADS=1 python -m dask worker tcp://head:8786 --nworkers 8 --nthreads 1 "
    "--no-dashboard": DASK,
}
NOT_TYPED = {
    ". .venv/bin/activate": "the tests' own environment is active",
    "ATTENTION_WORKBOOK_CONTAINER=1 pytest -k test_container": "needs Podman or Docker, and builds an image",
    "conda activate attention-workbook": "needs conda",
    "conda env create -f environment.yml": "needs conda, and loads a gigabyte",
    "make lab": "a server that goes on; tests/browser starts one",
    "make open-edx": "takes 170 MB from a package index",
    "make siege": "an hour; what came of it is in benchmarks/siege.md",
    "make scripts": "is a part of `make test`, which runs this",
    "make test": "is what runs this",
    "make test-all": "is what runs this",
    "pip install 'psycopg[binary]'": "changes the tests' own environment",
    "pip install -r requirements.txt": "loads a gigabyte; tests/browser/test_student.py uses the bundle without it",
    "chmod -R": "changes rights; tests/autograder/intake/test_exchange.py has a group that collects",
    "chmod 700 /srv/workbook /srv/courses/dl-26": "changes folders outside",
    "chmod 700 /srv/workbook /srv/courses": "changes folders outside; `new` closes a course's own",
    "pip install 'attention-workbook[lti]'": "changes the tests' own environment",
    "pip install asyncssh": "changes the tests' own environment",
    "pip install attention_workbook-VERSION.whl": "changes the tests' own environment",
    "pip install dask-jobqueue": "changes the tests' own environment",
    "pip install paramiko": "changes the tests' own environment",
    'python -m pip install --constraint constraints.txt --editable ".[cluster]"': "changes the tests' own environment",
    "workbook attempts": "a hub starts it; tests/autograder/reports/test_own_attempts.py plays the hub",
    'python -m pip install --editable ".[cluster]"': "changes the tests' own environment",
    "python -m dask ssh --hostfile hosts.txt --nworkers 4 --nthreads 1 --remote-python "
    '"env PYTHONPATH=/srv/workbook OMP_NUM_THREADS=1 /srv/workbook/.venv/bin/python"': "needs other computers",
    "python -m venv .venv": "the first of four that load a gigabyte",
    "source .venv/bin/activate": "the tests' own environment is active",
    "sudo apt-get install bubblewrap": "changes the computer",
    "sysctl kernel.unprivileged_userns_clone=1": "changes the computer",
} | {f"jupyter lab {language}": "a server that goes on; tests/browser starts one" for language in ("en", "fr", "zh")}


def typed(page: Path) -> list[str]:
    """Return a page's commands in their order, those in blocks and those inside lines."""
    text = text_of(page)
    found = []
    for block in FENCED.finditer(text):
        lines = block[2].splitlines() if block[1] in ("", "sh") else []
        found += [(block.start(), line.strip()) for line in lines]
    inside = FENCED.sub(lambda block: " " * len(block[0]), text)
    found += [(span.start(), " ".join(span[1].split())) for span in re.finditer(r"`([^`]+)`", inside)]
    return [line for _, line in sorted(found, key=lambda pair: pair[0]) if TYPED.fullmatch(line)]


def is_walked(command: str) -> bool:
    """Return whether the walk of the instructor's page types a command; its translations name another language."""
    command = re.sub(r"--language \w+", "--language en", command)
    return command in typed(ROOT / "docs" / "instructor.md") and command not in {*ELSEWHERE, *NOT_TYPED, *HERE}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_command_is_typed_or_it_is_said_why_not(page):
    known = {*HERE, *ELSEWHERE, *NOT_TYPED}
    unknown = [command for command in typed(page) if command not in known and not is_walked(command)]
    # `python -m pytest FILES`: the files are there, and are run with all others.
    for command in [one for one in unknown if one.startswith("python -m pytest ")]:
        assert all((ROOT / named).exists() for named in command.split()[3:])
        unknown.remove(command)
    assert unknown == []


def test_nothing_is_listed_that_no_page_shows():
    shown = {command for page in PAGES for command in typed(page)}
    assert HERE | set(ELSEWHERE) | set(NOT_TYPED) <= shown
    assert not HERE & set(ELSEWHERE) and not set(NOT_TYPED) & (HERE | set(ELSEWHERE))


@pytest.mark.parametrize("place", sorted(set(ELSEWHERE.values())))
def test_the_test_that_types_it_is_there(place):
    path, _, function = place.partition("::")
    (file,) = (ROOT / "tests").rglob(path)
    nodes = ast.parse(file.read_text(encoding="utf-8")).body
    assert not function or function in {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


TARGETS = sorted({command for page in PAGES for command in typed(page) if re.fullmatch(r"make \w+", command)})


@pytest.mark.parametrize("command", TARGETS)
def test_make_would_run_commands_that_exist(command):
    done = subprocess.run([*command.split(), "--dry-run"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    called = re.findall(r"python -m (autograder|benchmarks\.proof) (\w+)", done.stdout)
    assert all(command in OURS[module].commands for module, command in called)
    assert called or any(tool in done.stdout for tool in ("pytest", "jupyter lab", "ruff", "eslint"))


# ---- typed here ------------------------------------------------------------------------------------------------


def run(command: str) -> str:
    """Type a command of ours in this process, where the workbook is; return what it prints."""
    assert command in HERE
    program, words = main, command.removeprefix("workbook ")
    for module in OURS:
        if command.startswith(f"python -m {module} "):
            program, words = OURS[module], command.removeprefix(f"python -m {module} ")
    done = CliRunner().invoke(program, words.split(), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_readme_the_demonstration(tmp_path, monkeypatch, store, capsys):
    """With two of its twelve students: one with a mistake, one with nothing."""
    everybody = demo.class_of_twelve(Lesson.load(demo.LESSON, WORKBOOK))
    assert len(everybody) == 12
    monkeypatch.setattr(demo, "COURSE", Course(tmp_path / "demo"))
    monkeypatch.setattr(demo, "CONFIG", demo.CONFIG.replace(repr(str(ROOT / "demo")), repr(str(tmp_path / "demo"))))
    monkeypatch.setattr(demo, "class_of_twelve", lambda _: {name: everybody[name] for name in ("emmy", "ines")})
    demo.run(1)
    said = capsys.readouterr().out
    marks = books.standings(Course(tmp_path / "demo"), demo.LESSON)
    assert marks["emmy"].total > 15 and marks["ines"].total == 0
    for name in marks:
        assert name in said
        assert (tmp_path / "demo" / "feedback" / name / demo.LESSON / f"{demo.LESSON}.html").is_file()
    assert "feedback" in said


def test_administrator_the_look_at_the_sandbox(store, monkeypatch):
    monkeypatch.chdir(ROOT)
    said = run("workbook try attention notebooks/en/attention.ipynb")
    assert "test_self_attention  0 of 14" in said and "nothing to check yet" in said


def test_administrator_what_is_switched_off_has_that_name():
    page = (ROOT / "docs" / "administrator.md").read_text(encoding="utf-8")
    names = re.findall(r"jupyter server extension disable --sys-prefix (\S+)", page)
    assert len(names) >= 2
    for name in names:
        assert find_spec(name), name


# `tests/autograder/course/test_catalogues.py` holds what is said of each catalogue.
@pytest.mark.whole
def test_translator_another_language(tmp_path):
    """Steps 1 and 2 of the page, in a copy of the workbook; and what it says of languages that are complete."""
    for name in ("autograder", "utils", "source", "notebooks"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path / "notebooks" / "de"
    folder.mkdir()
    (folder / "messages.po").touch()
    done = workbook(tmp_path, "translate", PYTHONPATH=str(tmp_path))
    assert done.returncode == 0, done.stderr
    said = dict(line.split(": ") for line in done.stdout.splitlines())
    said = {
        str(Path(path).relative_to(tmp_path) if Path(path).is_absolute() else path): text for path, text in said.items()
    }
    assert said["notebooks/fr/messages.po"] == said["source/seq2seq/zh.po"] == "complete"
    for path in ("notebooks/de/messages.po", *(f"source/{name}/de.po" for name in WORKBOOK.lessons)):
        assert re.fullmatch(r"\d{2,4} texts to translate", said[path])
        assert (tmp_path / path).stat().st_size > 10_000
    for page in ("autograder/course/students/fr.md", "autograder/course/templates/README.fr.md"):
        assert (tmp_path / page).is_file(), "the pages of step 3"


def test_maintainer_a_mistake_is_noticed_and_named():
    said = run("python -m benchmarks.proof verdicts attention --quick --only softmax_over_queries")
    (row,) = [line for line in said.splitlines() if "attention/self_attention" in line]
    wrong, caught, named = re.findall(r"\d+", row)[:3]
    assert wrong == caught == named == "1"
