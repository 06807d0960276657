"""The command line: `python -m autograder COMMAND`."""

import sys

import click

from utils.errors import WorkbookError


class Commands(click.Group):
    """Shows one of our own errors as its one sentence, without a traceback."""

    def invoke(self, ctx: click.Context):
        try:
            return super().invoke(ctx)
        except WorkbookError as error:
            raise click.ClickException(str(error)) from None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Build the lessons, grade submissions, and see what students got wrong."""


@main.command()
@click.argument("lesson")
@click.option("--quick", is_flag=True, help="Examine in this process instead of the sandbox.")
@click.option("--seeds", default=1, show_default=True, help="How many seeds to examine with.")
@click.option("--only", default="", help="Only the cases whose name contains this text.")
def verdicts(lesson: str, quick: bool, seeds: int, only: str) -> None:
    """Show what the exams make of every known mistake and every correct variant."""
    from autograder import verdicts as report

    bad = total = 0
    for case in report.cases(lesson):
        if only not in case.name:
            continue
        for seed in range(seeds):
            row = report.examine_quickly(case, seed)
            total += 1
            bad += bool(row.complaints)
            for complaint in row.complaints:
                print(f"{case.cell}/{case.name} (seed {seed}): {complaint}", flush=True)
            if case.mistake and not report.is_named(case, row.named_by_check):
                print(f"{case.cell}/{case.name}: the check names {sorted(row.named_by_check) or 'nothing'}", flush=True)
    print(f"{total - bad} of {total} cases as they should be")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main(prog_name="python -m autograder")
