"""The command line: `python -m autograder COMMAND`. Each command is a few lines over the module that does it."""

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import click

from utils.common.errors import WorkbookError


class Commands(click.Group):
    """Shows one of our own errors, and a file that cannot be used, as one sentence without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except WorkbookError as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            name = f"{error.filename} cannot be used" if error.filename else "A file cannot be used"
            raise click.ClickException(f"{name} ({error.strerror}); mend that, then run the same command.") from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Build the lessons, grade submissions, and see what students got wrong."""


def _course(named: Path | None) -> Path:
    """Return the course's folder: the named one, else the one that we stand in. Raises: CourseError."""
    from autograder.common import paths

    return named.resolve() if named else paths.course_above(Path.cwd())


@main.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--check", is_flag=True, help="Write nothing; fail when something generated is out of date.")
@click.option("--pull", is_flag=True, help="First bring edits of source/LESSON/LESSON.ipynb into source/LESSON.py.")
@click.option("--force", is_flag=True, help="Throw away edits of the instructor's notebooks.")
def build(lesson_names: tuple[str, ...], check: bool, pull: bool, force: bool) -> None:
    """Write the notebooks, the checks' answers and the message catalogues from their sources."""
    from autograder.common.errors import BuildError
    from autograder.common.paths import ROOT
    from autograder.course import build as builder

    lessons = builder.all_or_named(lesson_names)
    if pull:
        pulled = {lesson: builder.pull(lesson) for lesson in lessons}
        for lesson, edited in pulled.items():
            print(f"{lesson.name}: {'edit brought into the text' if edited else 'no edit in the notebook'}")
        lessons = [edited or lesson for lesson, edited in pulled.items()]
    changed = [str(path.relative_to(ROOT)) for path in builder.build(lessons, check=check, force=force)]
    if check and changed:
        raise BuildError(f"Out of date: {', '.join(changed)}; run `make build` and commit what it writes.")
    print("\n".join(f"wrote {path}" for path in changed) or "everything generated is up to date")


@main.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--name", required=True, help="What nbgrader and the exchange call the course, dl2026 for instance.")
@click.option("--language", default="en", show_default=True, help="Of the notebooks that are released: en, fr or zh.")
@click.option("--address", default="", metavar="URL", help="Where students get the modules, when the course has one.")
@click.option("--exchange", type=click.Path(path_type=Path), help="nbgrader's exchange folder, when there is one.")
def new(folder: Path, name: str, language: str, address: str, exchange: Path | None) -> None:
    """Make a course: a folder of its own that loads the workbook, for students, submissions and marks."""
    from autograder.course import new

    for path in new.make(folder, name, language, address, exchange):
        print(f"wrote {path}")
    print(f"What to type from here on, in this order, stands in {folder / 'README.md'}")


@main.command()
def install() -> None:
    """Put into this Python environment the command `workbook`, and the guard that has nbgrader use the sandbox."""
    from autograder.course import new

    for path in new.install(Path(sys.prefix)):
        print(f"wrote {path}")


@main.command("format")
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--check", is_flag=True, help="Write nothing; fail when a lesson's prose is not filled evenly.")
def format_prose(lesson_names: tuple[str, ...], check: bool) -> None:
    """Fill the lines of the prose in source/LESSON.py; `make format` does that and formats code."""
    from autograder.common.errors import BuildError
    from autograder.common.paths import ROOT
    from autograder.course import build as builder

    changed = [str(path.relative_to(ROOT)) for path in builder.tidy_all(builder.all_or_named(lesson_names), check)]
    if check and changed:
        raise BuildError(f"Lines of prose are not filled evenly in {', '.join(changed)}; run `make format`.")
    print("\n".join(f"wrote {path}" for path in changed) or "all prose is filled evenly")


@main.command()
@click.option("--course", type=click.Path(path_type=Path), help="The course's folder; else the one you are in.")
def bundle(course: Path | None) -> None:
    """Write COURSE/bundle/, what students get: modules, lessons in each language, a zip of it all."""
    from autograder.course import bundle as bundling
    from autograder.gradebook.configuration import configuration

    folder = _course(course)
    address = configuration(folder).Stamp.get("address", "")
    for path in bundling.write(folder, address):
        print(f"wrote {path.relative_to(folder)} ({path.stat().st_size / 1000:,.0f} kB)")


@main.command("try")
@click.argument("lesson_name", metavar="LESSON")
@click.argument("notebook", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--unsafe", is_flag=True, help="Without a sandbox: the notebook's code runs as you. Marks say so.")
def try_notebook(lesson_name: str, notebook: Path, as_json: bool, unsafe: bool) -> None:
    """Grade one notebook outside any course: no database, nothing written."""
    from autograder.common import paths
    from autograder.sandbox import container

    paths.require_lesson(lesson_name)
    if not notebook.exists():
        raise WorkbookError(f"There is no file {notebook}; name the notebook to grade.")
    if not unsafe:
        there = notebook.resolve()
        container.instead(["try", lesson_name, str(there), *["--json"] * as_json], paths.ROOT, there)
    from autograder.examine.examiner import examine
    from autograder.gradebook import terminal
    from autograder.intake.notebook import take_in
    from autograder.lesson.text import Lesson
    from autograder.sandbox.parent import Sandbox

    lesson = Lesson.load(lesson_name)
    taken = take_in(notebook, lesson)
    with contextlib.nullcontext() if unsafe else Sandbox() as sandbox:
        result = examine(taken.notebook, lesson, sandbox)
    result.mended = taken.mended + ([taken.refused] if taken.refused else [])
    if as_json:
        print(json.dumps(result.to_json(taken.language), indent=1, ensure_ascii=False))
    else:
        terminal.print_result(result, taken.language)


@main.command()
@click.argument("lesson_name", metavar="LESSON")
@click.option("--cell", "cells", multiple=True, metavar="GRADE_ID=FILE", help="Code for a cell, from a file.")
@click.option("--blank", is_flag=True, help="Leave the other cells as released instead of solved.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The notebook to write.")
def compose(lesson_name: str, cells: tuple[str, ...], blank: bool, output: Path) -> None:
    """Make a submission from the release: the given code in the named cells, the reference in the others."""
    from autograder.lesson.text import Lesson, write_notebook
    from autograder.proof.compose import compose

    answers = {}
    for cell in cells:
        grade_id, separator, file = cell.partition("=")
        if not separator or not Path(file).is_file():
            raise WorkbookError(f"--cell {cell} cannot be used; write GRADE_ID=FILE with a file that exists.")
        try:
            answers[grade_id] = Path(file).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise WorkbookError(f"{file} is not a text in UTF-8; name a file of Python code.") from None
    output.write_text(write_notebook(compose(Lesson.load(lesson_name), answers, blank=blank)), encoding="utf-8")
    print(f"wrote {output}")


@main.command()
@click.argument("lesson_name", metavar="LESSON")
@click.option("--course", type=click.Path(path_type=Path), help="The course's folder; else the one you are in.")
@click.option("--jobs", default=1, show_default=True, help="Worker processes; as many as there are cores is good.")
@click.option("--scheduler", default="", metavar="ADDRESS", help="Examine on a Dask cluster, tcp://host:port.")
@click.option("--force", is_flag=True, help="Write unchanged submissions again, too.")
@click.option("--feedback/--no-feedback", default=True, show_default=True, help="Write feedback/ as well.")
@click.option("--unsafe", is_flag=True, help="Without a sandbox: submitted code runs as you. Marks are flagged.")
def grade(
    lesson_name: str, course: Path | None, jobs: int, scheduler: str, force: bool, feedback: bool, unsafe: bool
) -> None:
    """Grade a class: what is new or changed, in parallel, into gradebook.db, autograded/ and feedback/."""
    from autograder.common import paths, settings
    from autograder.course import new
    from autograder.gradebook import grade as grading
    from autograder.gradebook import state
    from autograder.sandbox import container

    paths.require_lesson(lesson_name)
    course = _course(course)
    if written := new.ensure_configured(course):
        print(f"wrote {written}: with it, nbgrader's own commands use the sandbox, too")
    if unsafe:
        os.environ[settings.UNSAFE] = "1"
    # By hand, unsafe is an environment variable; a cluster's workers have sandboxes of their own.
    if not os.environ.get(settings.UNSAFE) and not scheduler:
        options = ["--course", str(course), "--jobs", str(jobs)]
        options += ["--force"] * force + ["--no-feedback"] * (not feedback)
        container.instead(["grade", lesson_name, *options], course)
    done = state.Done(course, lesson_name)
    nothing_owed = not (feedback and done.owed.exists())
    if not force and nothing_owed and (number := grading.all_unchanged(course, lesson_name)):
        shown = f"`python -m autograder report {lesson_name}` shows them"
        print(f"All {number} submissions are graded and unchanged; {shown}.")
        return
    from autograder.gradebook import converters, terminal
    from autograder.lesson.text import Lesson

    with terminal.bar() as on_step:
        summary = grading.grade(
            lesson_name, course=course, jobs=jobs, scheduler=scheduler, force=force, on_step=on_step
        )
    if feedback:
        converters.feedback(course, lesson_name, force=force)
    converters.settle(course, done, feedback=feedback)
    terminal.print_class(course, Lesson.load(lesson_name), summary)
    sys.exit(bool(summary.failed))


@main.command()
@click.argument("lesson_name", metavar="LESSON")
@click.option("--course", type=click.Path(path_type=Path), help="The course's folder; else the one you are in.")
@click.option("--html", is_flag=True, help="Write COURSE/report/LESSON.html, and the same as CSV and JSON.")
def report(lesson_name: str, course: Path | None, html: bool) -> None:
    """Show question by question what the class earned and which mistakes were made."""
    from autograder.gradebook import terminal
    from autograder.lesson.text import Lesson

    if html:
        from autograder.gradebook.report import write_report

        for path in write_report(_course(course), Lesson.load(lesson_name)):
            print(f"wrote {path}")
        return
    terminal.print_questions(_course(course), Lesson.load(lesson_name))


@main.command()
@click.option("--course", type=click.Path(path_type=Path), help="The course's folder; else the one you are in.")
def status(course: Path | None) -> None:
    """Show for each lesson what is released, collected, graded, waiting for a person, given back."""
    from autograder.gradebook import terminal
    from autograder.gradebook.status import status

    terminal.print_status(status(_course(course)))


@main.command()
@click.option("--days", default=180, show_default=True, help="Remove what was not used for so long.")
@click.option("--most", default=4096, show_default=True, metavar="MB", help="Keep so much of the rest, the latest.")
def clean(days: int, most: int) -> None:
    """Remove old results from the store; marks and feedback stay, and what is missing is computed again."""
    from autograder.examine.store import DAY, Store

    print(Store().clean(most_bytes=most * 2**20, most_seconds=days * DAY))


@main.command()
@click.argument("lesson_name", metavar="LESSON")
@click.option("--to", "system", default="csv", show_default=True, help="Who reads it: csv, moodle or canvas.")
@click.option("--course", type=click.Path(path_type=Path), help="The course's folder; else the one you are in.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file; else COURSE/LESSON-SYSTEM.csv.")
def export(lesson_name: str, system: str, course: Path | None, output: Path | None) -> None:
    """Write the marks as a table that Moodle, Canvas or a spreadsheet reads."""
    from autograder.common.paths import write_whole
    from autograder.gradebook.books import standings
    from autograder.gradebook.export import export
    from autograder.lesson.text import Lesson

    folder = _course(course)
    text = export(folder, Lesson.load(lesson_name), system)
    output = output or folder / f"{lesson_name}-{system}.csv"
    write_whole(output, text)
    print(f"wrote {output}")
    if waiting := [student for student, one in standings(folder, lesson_name).items() if one.waiting]:
        print(f"{len(waiting)} of these marks are not final: an answer waits for a person.")


@main.command()
@click.option("--jobs", default=2, show_default=True, help="Worker processes.")
def demo(jobs: int) -> None:
    """Make a small class, grade it, and show the marks, the reasons and where the feedback lies."""
    from autograder.common import paths
    from autograder.proof import demo
    from autograder.sandbox import container

    container.instead(["demo", "--jobs", str(jobs)], paths.ROOT)
    demo.run(jobs)


@main.command("container", context_settings={"allow_interspersed_args": False})
@click.option("--course", type=click.Path(path_type=Path), help="The course's folder; else the one you are in.")
@click.argument("command", nargs=-1, required=True)
def in_container(course: Path | None, command: tuple[str, ...]) -> None:
    """Run a command where bubblewrap is, in Podman or Docker: `container nbgrader autograde attention`."""
    from autograder.sandbox import container

    container.run(container.require_engine(), list(command), _course(course))


@main.command()
def translate() -> None:
    """Bring the catalogues notebooks/LANGUAGE/*.po up to date with the lessons and messages."""
    from autograder.course import catalogues

    for path, missing in catalogues.update_all().items():
        print(f"{path}: {missing} texts to translate" if missing else f"{path}: complete")


@main.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--quick", is_flag=True, help="Examine in this process instead of the sandbox.")
@click.option("--seeds", default=1, show_default=True, help="How many seeds to examine with (with --quick).")
@click.option("--only", default="", help="Only the cases whose name contains this text.")
@click.option("--attacks/--no-attacks", default=True, show_default=True, help="Grade the attacks as well.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verdicts(lesson_names: tuple[str, ...], quick: bool, seeds: int, only: str, attacks: bool, as_json: bool) -> None:
    """Show what the exams make of every known mistake, every correct variant and every attack."""
    from autograder.course import build
    from autograder.proof import verdicts

    found = verdicts.examine_all(build.all_or_named(lesson_names), quick=quick, seeds=seeds, only=only)
    table = verdicts.table(found)
    if attacks and not quick:
        from autograder.proof.attacks import examine_attacks

        table["attacks"] = examine_attacks(only)
    if as_json:
        print(json.dumps(table, indent=1))
    else:
        verdicts.print_table(table)
    won = [attack for kind in table.get("attacks", {}).values() for attack in kind["won"]]
    sys.exit(bool(won) or any(row.complaints for row in found))


@main.command()
@click.option("--rounds", default=10, show_default=True, help="Classes of thirty to grade.")
@click.option("--hours", default=1.0, show_default=True, help="Begin no class after this time.")
@click.option("--seed", default=0, show_default=True, help="Of the first class; each class has its own.")
@click.option("--jobs", default=2, show_default=True, help="Worker processes.")
def siege(rounds: int, hours: float, seed: int, jobs: int) -> None:
    """Grade classes of honest, wrong, hostile and damaged work while the grader is paused and killed."""
    from autograder.proof.siege import besiege

    found = besiege(rounds, 3600 * hours, seed, jobs, click.echo)
    sys.exit(any(one.broken for one in found))


if __name__ == "__main__":
    main(prog_name="python -m autograder")
