"""`python -m benchmarks.published`: our checks beside published ones, and what they name in answers written apart."""

import sys

import click

from autograder.course import build
from benchmarks.published import board, held_out
from benchmarks.published.written import FOLDERS


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.pass_context
def main(context: click.Context) -> None:
    """Without a command, both."""
    if context.invoked_subcommand is None:
        context.invoke(beside)
        context.invoke(named)


@main.command()
def beside() -> None:
    """Show which wrong answers pass our checks and the published ones, and which right ones are rejected."""
    board.print_board(board.examine_all(build.all_or_named(("captioning", "seq2seq"))))


@main.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--folder", type=click.Choice(sorted(FOLDERS)), default="answers", show_default=True)
def named(lesson_names: tuple[str, ...] = (), folder: str = "answers") -> None:
    """Show in how many of the written answers a mistake is named, and whether the name is true."""
    found = held_out.tell_all(build.all_or_named(lesson_names), FOLDERS[folder])
    held_out.print_told(found)
    sys.exit(not held_out.good(found))


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.published")
