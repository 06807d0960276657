"""The command line: `python -m autograder COMMAND`, or `workbook COMMAND`; see `autograder/commands`."""

import sys
from typing import IO, Any

import click

from autograder.commands import courses, notebooks, workbook
from autograder.common.sentences import T_, spoken
from utils.common.errors import WorkbookError

GROUPS = {"A course": courses, "One notebook": notebooks, "For changing the workbook itself": workbook}


class OneSentence(click.ClickException):
    """An error that is shown as one sentence, in the course's language once a command knows the course."""

    def show(self, file: IO[str] | None = None) -> None:
        click.echo(f"{T_('Error:')} {self.message}", file=file or sys.stderr)


class Interrupted(OneSentence):
    """The command was stopped by Ctrl-C; it ends with the exit code that shells use for that."""

    exit_code = 130


class Commands(click.Group):
    """Lists its commands in groups; shows our own errors and unusable files as one sentence without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except WorkbookError as error:
            raise OneSentence(error.render(spoken())) from None
        except KeyboardInterrupt:
            raise Interrupted(
                T_("Interrupted. Finished work is kept: run the same command again to continue.")
            ) from None
        except OSError as error:
            sentence = T_(
                "{file} cannot be used ({reason}); correct this, then run the same command again.",
                file=str(error.filename or T_("A file")),
                reason=str(error.strerror),
            )
            raise OneSentence(sentence) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, module in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(command.name or "", command.short_help or "") for command in _commands_of(module)])


def _commands_of(module: Any) -> list[click.Command]:
    """Return the commands that a module defines, in its order."""
    return [value for value in vars(module).values() if isinstance(value, click.Command)]


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Make courses, grade submissions, see what students got wrong, and build the lessons."""


for module in GROUPS.values():
    for command in _commands_of(module):
        main.add_command(command)

if __name__ == "__main__":
    main(prog_name="python -m autograder")
