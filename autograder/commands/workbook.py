"""Commands for maintainers, authors and translators: they change the workbook itself, or demonstrate it."""

import sys
from pathlib import Path

import click

from autograder.commands.which import needs
from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import BuildError
from autograder.common.paths import ROOT


@click.command(short_help="Write all generated files.")
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--check", is_flag=True, help="Write nothing; fail if a generated file is out of date.")
@click.option(
    "--pull", is_flag=True, help="First bring edits of source/LESSON/LESSON.ipynb into source/LESSON/lesson.py."
)
@click.option("--force", is_flag=True, help="Discard edits of the instructor's notebooks.")
def build(lesson_names: tuple[str, ...], check: bool, pull: bool, force: bool) -> None:
    """Write the notebooks, the checks' answers and the message catalogues from their sources."""
    from autograder.course import build as builder
    from autograder.course import catalogues, edits

    lessons = builder.all_or_named(lesson_names)
    if pull:
        # The text of a pulled lesson has changed since it was loaded, so a new object takes its place.
        pulled = {lesson: edits.pull(lesson) for lesson in lessons}
        for lesson, edited in pulled.items():
            print(f"{lesson.name}: {'the edit is now in the text' if edited else 'no edit in the notebook'}")
        lessons = [edited or lesson for lesson, edited in pulled.items()]
    if check and (behind := catalogues.behind()):
        raise BuildError(f"Out of date: {', '.join(behind)}; run `make build`, then translate what it names.")
    if not check:
        # Before notebooks are written, so that an edited text keeps its translation, with a note, instead of becoming
        # English.
        catalogues.update_all(WORKBOOK)
    states = catalogues.states()
    if check and (wrong := [f"{state.path.relative_to(ROOT)}: {fault}" for state in states for fault in state.wrong]):
        raise BuildError(f"Translations must be corrected: {'; '.join(wrong[:5])}.")
    changed = [str(path.relative_to(ROOT)) for path in builder.build(lessons, check=check, force=force)]
    if check and changed:
        raise BuildError(f"Out of date: {', '.join(changed)}; run `make build` and commit what it writes.")
    print("\n".join(f"wrote {path}" for path in changed) or "all generated files are up to date")
    for state in states:
        if state.wrong or state.stale or state.lacking:
            print(state, *state.wrong[:20], sep="\n  ")


@click.command("format", short_help="Fill the lines of the lessons' prose.")
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--check", is_flag=True, help="Write nothing; fail when a lesson's prose is not filled evenly.")
def format_prose(lesson_names: tuple[str, ...], check: bool) -> None:
    """Fill the lines of the prose in source/LESSON/lesson.py; `make format` does that and formats code."""
    from autograder.course import build as builder

    changed = [str(path.relative_to(ROOT)) for path in builder.tidy_all(builder.all_or_named(lesson_names), check)]
    if check and changed:
        raise BuildError(f"Lines of prose are not filled evenly in {', '.join(changed)}; run `make format`.")
    print("\n".join(f"wrote {path}" for path in changed) or "all prose is filled evenly")


@click.command(short_help="Bring the translators' catalogues up to date.")
@click.option("--drop-obsolete", is_flag=True, help="Delete the translations of texts that no longer exist.")
@click.option("--same", is_flag=True, help="Only the texts' style has changed: keep their translations as they are.")
@click.option("--templates", type=click.Path(path_type=Path), help="Only write .pot files into this folder.")
def translate(drop_obsolete: bool, same: bool, templates: Path | None) -> None:
    """Bring the catalogues notebooks/LANGUAGE/*.po up to date with the lessons and messages; in a course, its own."""
    from autograder.course import catalogues

    if templates:
        templates.mkdir(parents=True, exist_ok=True)
        for name, catalogue in catalogues.templates(Course.around(Path.cwd())).items():
            catalogue.save(str(templates / f"{name}.pot"))
            print(f"wrote {templates / name}.pot")
        return

    # In a course that has its own lessons, only these are translated, and only into the course's language.
    if (course := Course.around(Path.cwd())).adds:
        from autograder.gradebook.configuration import configuration

        languages = [configuration(course).Translate.get("language", "en")]
        left = catalogues.update_all(course, languages, drop_obsolete=drop_obsolete, same=same)
    else:
        left = catalogues.update_all(WORKBOOK, drop_obsolete=drop_obsolete, same=same)
    for path, (missing, stale) in left.items():
        kinds = ((missing, "to translate"), (stale, "marked fuzzy, to be reviewed"))
        lacks = [f"{n} {'text' if n == 1 else 'texts'} {what}" for n, what in kinds if n]
        print(f"{path}: {', '.join(lacks) or 'complete'}")


@click.command(short_help="Write lessons and docs as static pages.")
@click.option(
    "--to", "folder", type=click.Path(path_type=Path), help="The folder to write; by default, site/ in the workbook."
)
@click.option("--jobs", default=2, show_default=True, help="Lessons to run at a time.")
@click.option("--quick", is_flag=True, help="Run no lesson: show the kept outputs, if any.")
def site(folder: Path | None, jobs: int, quick: bool) -> None:
    """Write the lessons with their figures, and the docs, as static pages in all languages."""
    with needs("site"):  # Sphinx and its theme
        from autograder.site import make

    folder = folder or ROOT / "site"
    other_hosts = make.make(folder, jobs=0 if quick else jobs)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"It links to {len(other_hosts)} addresses elsewhere, which were not checked:", *other_hosts, sep="\n  ")
    print(f"wrote {folder / 'index.html'} and everything that belongs to it ({size / 1e6:.1f} MB)")


@click.command(short_help="Write the lessons' drawings as SVG files.")
@click.option(
    "--to", "folder", type=click.Path(path_type=Path), help="The folder to write; by default, slides/ in the workbook."
)
def slides(folder: Path | None) -> None:
    """Write the lessons' drawings as SVG files for slides, in all languages."""
    from autograder.site import slides as drawings

    written = drawings.write(folder or ROOT / "slides")
    print(f"wrote {len(written)} drawings below {written[0].parent.parent}")


@click.command(short_help="Add `workbook` to this environment.")
def install() -> None:
    """Add to this Python environment the command `workbook`, and the guard that makes nbgrader use the sandbox."""
    from autograder.course import new

    for path in new.install(Path(sys.prefix)):
        print(f"wrote {path}")


@click.command(short_help="Grade a made-up class and show its marks.")
@click.option("--jobs", default=2, show_default=True, help="Worker processes.")
def demo(jobs: int) -> None:
    """Make a small class, grade it, and show the marks, the reasons and where the feedback is."""
    from autograder import demo
    from autograder.sandbox import container

    container.instead(["demo", "--jobs", str(jobs)], ROOT)
    demo.run(jobs)
