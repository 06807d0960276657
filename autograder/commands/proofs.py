"""Commands that show that the grader keeps its promises."""

import json
import sys
from pathlib import Path

import click

from utils.common.errors import WorkbookError


@click.command()
@click.option("--jobs", default=2, show_default=True, help="Worker processes.")
def demo(jobs: int) -> None:
    """Make a small class, grade it, and show the marks, the reasons and where the feedback lies."""
    from autograder.common import paths
    from autograder.proof import demo
    from autograder.sandbox import container

    container.instead(["demo", "--jobs", str(jobs)], paths.ROOT)
    demo.run(jobs)


@click.command()
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


@click.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--quick", is_flag=True, help="Examine in this process instead of the sandbox.")
@click.option("--seeds", default=1, show_default=True, help="How many seeds to examine with (with --quick).")
@click.option("--only", default="", help="Only the cases whose name contains this text.")
@click.option("--attacks/--no-attacks", default=True, show_default=True, help="Grade the attacks as well.")
@click.option("--pairs", "in_pairs", is_flag=True, help="Two mistakes at once instead, examined in this process.")
@click.option("--slips", "single_slips", is_flag=True, help="Slips made by machine instead, examined in this process.")
@click.option("--credit", is_flag=True, help="Show what each known mistake leaves of its question's points instead.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verdicts(
    lesson_names: tuple[str, ...],
    quick: bool,
    seeds: int,
    only: str,
    attacks: bool,
    in_pairs: bool,
    single_slips: bool,
    credit: bool,
    as_json: bool,
) -> None:
    """Show what the exams make of every known mistake, every correct variant and every attack."""
    from autograder.course import build
    from autograder.proof import pairs, slips, verdicts

    lessons = build.all_or_named(lesson_names)
    if in_pairs:
        tried = [pairs.examine_pair(pair) for lesson in lessons for pair in pairs.pairs(lesson)]
        pairs.print_pairs(tried)
        sys.exit(not pairs.good(tried))
    if single_slips:
        slipped = [slips.examine_slip(slip) for lesson in lessons for slip in slips.slips(lesson)]
        slips.print_slips(slipped)
        sys.exit(not slips.good(slipped))
    if credit:
        verdicts.print_credit(verdicts.examine_all(lessons, quick=True, only=only))
        return
    found = verdicts.examine_all(lessons, quick=quick, seeds=seeds, only=only)
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


@click.command()
@click.option("--rounds", default=10, show_default=True, help="Classes of thirty to grade.")
@click.option("--hours", default=1.0, show_default=True, help="Begin no class after this time.")
@click.option("--seed", default=0, show_default=True, help="Of the first class; each class has its own.")
@click.option("--jobs", default=2, show_default=True, help="Worker processes.")
def siege(rounds: int, hours: float, seed: int, jobs: int) -> None:
    """Grade classes of honest, wrong, hostile and damaged work while the grader is paused and killed."""
    from autograder.proof.siege import besiege

    found = besiege(rounds, 3600 * hours, seed, jobs, click.echo)
    sys.exit(any(one.broken for one in found))
