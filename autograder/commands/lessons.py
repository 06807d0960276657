"""Commands for who writes lessons and makes courses: texts in, notebooks, bundles and courses out."""

import sys
from pathlib import Path

import click

from autograder.commands.course import course_of


@click.command()
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


@click.command()
@click.option("--course", type=click.Path(path_type=Path), help="The course's folder; else the one you are in.")
def bundle(course: Path | None) -> None:
    """Write COURSE/bundle/, what students get: modules, lessons in each language, a zip of it all."""
    from autograder.course import bundle as bundling
    from autograder.gradebook.configuration import configuration

    folder = course_of(course)
    address = configuration(folder).Stamp.get("address", "")
    for path in bundling.write(folder, address):
        print(f"wrote {path.relative_to(folder)} ({path.stat().st_size / 1000:,.0f} kB)")


@click.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--check", is_flag=True, help="Write nothing; fail when something generated is out of date.")
@click.option("--pull", is_flag=True, help="First bring edits of source/LESSON/LESSON.ipynb into source/LESSON.py.")
@click.option("--force", is_flag=True, help="Throw away edits of the instructor's notebooks.")
def build(lesson_names: tuple[str, ...], check: bool, pull: bool, force: bool) -> None:
    """Write the notebooks, the checks' answers and the message catalogues from their sources."""
    from autograder.common.errors import BuildError
    from autograder.common.paths import ROOT
    from autograder.course import build as builder
    from autograder.course import catalogues

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
    states = catalogues.states()
    for state in states:
        if state.wrong or state.stale:
            print(state)
    if check and (wrong := [f"{state.path.name} {one}" for state in states for one in state.wrong]):
        raise BuildError(f"Translations must be mended: {'; '.join(wrong[:5])}; type `make translate`, then fill them.")


@click.command("format")
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


@click.command()
@click.option("--to", "folder", type=click.Path(path_type=Path), help="Where; else site/ in the workbook.")
@click.option("--jobs", default=2, show_default=True, help="Lessons to run at a time.")
@click.option("--quick", is_flag=True, help="Run no lesson: show the outputs that were kept, or none.")
def site(folder: Path | None, jobs: int, quick: bool) -> None:
    """Write the lessons, to be read with their figures, and the docs as static pages in all languages."""
    from autograder.common.paths import ROOT

    try:
        from autograder.site import make
    except ModuleNotFoundError as error:
        sentence = f"The site needs {error.name}, which is not installed; type: pip install 'attention-workbook[site]'"
        raise click.ClickException(sentence) from None
    folder = folder or ROOT / "site"
    elsewhere = make.make(folder, jobs=0 if quick else jobs)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"It links to {len(elsewhere)} addresses elsewhere, which were not tried:", *elsewhere, sep="\n  ")
    print(f"wrote {folder / 'index.html'} and all that belongs to it ({size / 1e6:.1f} MB)")


@click.command()
def translate() -> None:
    """Bring the catalogues notebooks/LANGUAGE/*.po up to date with the lessons and messages."""
    from autograder.course import catalogues

    for path, (missing, stale) in catalogues.update_all().items():
        lacks = [f"{n} {what}" for n, what in ((missing, "texts to translate"), (stale, "fuzzy ones to look at")) if n]
        print(f"{path}: {', '.join(lacks) or 'complete'}")


@click.command()
def install() -> None:
    """Put into this Python environment the command `workbook`, and the guard that has nbgrader use the sandbox."""
    from autograder.course import new

    for path in new.install(Path(sys.prefix)):
        print(f"wrote {path}")
