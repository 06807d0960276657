"""The command line: `python -m autograder COMMAND`; the commands stand in `autograder/commands`."""

from typing import Any

import click

from autograder.commands import lessons, marks, proofs
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


for module in (lessons, marks, proofs):
    for command in vars(module).values():
        if isinstance(command, click.Command):
            main.add_command(command)

if __name__ == "__main__":
    main(prog_name="python -m autograder")
