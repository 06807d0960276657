"""A lesson that goes on: with gaps open, "Run All" comes to the end, and a cell that waits for a gap says for which.

What a notebook's kernel does with an error is changed in three cases, and in no other:

    a check that failed            has shown its panel, and that is all
    a gap that is not written      one sentence in place of a traceback, in the cell that needs it and in those after
    a cell of the lesson failed    its traceback, and the cells below it run all the same

What such a cell would have made is taken away again, a model that never learned included: no later cell draws with it
under a text about the trained one. Students' own cells, and an interruption, stop a run as ever.

`nbgrader validate` must see errors, so nothing is changed there, nor outside a kernel; in other programs
(`nbconvert --execute`) the lesson's last cell fails, see `standing.py`.

How: IPython asks a handler what to show of an exception (`set_custom_exc`), and tells us of a cell's end
(`post_run_cell`) before the kernel looks whether there was an error.
"""

import ast
import os
import re
from collections.abc import Iterable
from typing import Any

from utils.checks.engine.question import note_end
from utils.checks.outline import digest, outlines
from utils.common.errors import CheckFailed, NotDone
from utils.common.messages import N_, Message, notebook_language
from utils.common.notebook import running_shell

# nbgrader sets it while it validates and grades.
NBGRADER_VARIABLE = "NBGRADER_EXECUTION"
STUB = re.compile(r"(\w+): write the missing lines")
GAP = N_("This cell needs {gap}, which is not written yet: write it, run it, then run this cell again.")
NAME = N_("This cell needs {name}, which a cell above could not make: look at that cell first.")
FAILED = N_("the cell of `{name}` failed when it last ran ({error}): mend it and run it, then check again")
NOTICE = """\
<div style="border-left: 4px solid #777777; padding: 4px 12px; margin: 4px 0">○ {{ text }}</div>
"""


class Notice:
    """One sentence, as a panel or as text."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return f"○ {self.text}"

    def _repr_html_(self) -> str:
        from jinja2 import Environment

        return Environment(autoescape=True).from_string(NOTICE).render(text=self.text)


class GoingOn:
    """What one kernel remembers: the cell that runs, and which names wait for which gap."""

    def __init__(self, shell: Any):
        self.shell = shell
        self.source = self.cell_id = ""
        self.settled: BaseException | None = None
        self.failed: dict[str, str] = {}  # a function or class -> the exception that ended its cell's last run
        self.waiting: dict[str, str] = {}  # a name of the notebook -> the gap it waits for, "" where that is unknown
        shell.set_custom_exc((Exception,), self.on_error)
        shell.events.register("pre_run_cell", self.before)
        shell.events.register("post_run_cell", self.after)

    def before(self, info: Any) -> None:
        self.source, self.cell_id = info.raw_cell or "", getattr(info, "cell_id", None) or ""
        self.settled = None

    def after(self, result: Any) -> None:
        """Let the run go on after an error that is settled: the kernel calls it one only if it finds it here."""
        error = result.error_before_exec or result.error_in_exec
        said = " ".join(f"{type(error).__name__}: {error}".split())[:300] if error else ""
        note_end(self.failed, self.source, said)
        if self.settled is not None and result.error_in_exec is self.settled:
            result.error_in_exec = None

    def on_error(self, shell: Any, kind: type, error: BaseException, trace: Any, tb_offset: int | None = None) -> None:
        """Show what is to be seen of an error, and settle it if it is one of ours."""
        if isinstance(error, CheckFailed):  # its panel is there already
            self.settled = error
            return
        # The last cell's error is for programs, which must see it.
        ours = self.is_ours() and not isinstance(error, NotDone)
        message = self.waits_for(error)
        if message is None:
            shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
        else:
            from IPython.display import display

            display(Notice(message.render(notebook_language())))  # type: ignore[no-untyped-call]  # IPython's
        if ours:
            self.take_away(str(message.values.get("gap", "")) if message else "")
        if ours or message:
            self.settled = error

    def waits_for(self, error: BaseException) -> Message | None:
        """Return which gap, or which name, an error says is missing; None for any other error."""
        if isinstance(error, NotImplementedError) and (gap := STUB.match(str(error))):
            return Message(GAP, {"gap": gap[1]})
        if isinstance(error, NameError) and error.name in self.waiting and error.name not in self.shell.user_ns:
            gap_name = self.waiting[error.name]
            return Message(GAP, {"gap": gap_name}) if gap_name else Message(NAME, {"name": error.name})
        return None

    def is_ours(self) -> bool:
        """Return whether the cell that runs is one that the lesson shows, by its id or by its text."""
        text = digest(self.source)
        return any(self.cell_id in outline.shows or text in outline.shows.values() for outline in outlines().values())

    def take_away(self, gap: str) -> None:
        """Remove what the cell assigned, and note what all that it would have made waits for."""
        for name, assigned in made_by(self.shell.transform_cell(self.source)).items():
            if assigned:
                self.shell.user_ns.pop(name, None)
            if name not in self.shell.user_ns:
                self.waiting[name] = gap


def made_by(code: str) -> dict[str, bool]:
    """Return the names that a cell makes at its top, and of each whether by assignment (else: def, class, import)."""
    made: dict[str, bool] = {}
    for statement in ast.parse(code).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            made[statement.name] = False
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            made |= {alias.asname or alias.name.partition(".")[0]: False for alias in statement.names}
        else:
            stored = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
            made |= {node.id: True for node in stored if isinstance(node.ctx, ast.Store)}
    return made


def failed_cell(students: Iterable[Any]) -> Message | None:
    """Return that the cell of one of these objects failed when it last ran: a check would judge what was before it."""
    failed = getattr(running_shell(), "going_on", None)
    for student in students:
        name = getattr(student, "__name__", "")
        if failed and name in failed.failed:
            return Message(FAILED, {"name": name, "error": failed.failed[name]})
    return None


def install() -> None:
    """Let the lessons of this kernel go on; does nothing outside a kernel, or where nbgrader runs it."""
    shell = running_shell()
    if hasattr(shell, "kernel") and not under_nbgrader() and not hasattr(shell, "going_on"):
        shell.going_on = GoingOn(shell)


def under_nbgrader() -> bool:
    """Return whether nbgrader validates or grades the notebook."""
    return bool(os.environ.get(NBGRADER_VARIABLE))
