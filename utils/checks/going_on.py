"""Let "Run All" reach a lesson's end while gaps are open: a cell that needs a gap says which, and the run continues.

A kernel normally shows a traceback and stops the run. That is changed in three cases, and in no other:

    a check failed                    only the check's panel is shown, and the run continues
    a cell needs an unwritten gap     one sentence is shown in place of a traceback, and the run continues
    a cell of the lesson failed       its traceback is shown, and the run continues

Sentences are shown in three more cases: a name of the lesson is missing because its cell has not run; a cell is about
to use a gap whose check has not passed, or a model whose training was stopped; the student stops a training.

The names that such a cell has assigned are deleted: otherwise a later cell would draw an untrained model under a text
about the trained one. An error in a cell that a student added, and an interruption, stop the run as usual.

`nbgrader validate` must see errors, so nothing is changed there, nor outside a kernel. In other programs
(`nbconvert --execute`) the lesson's last cell raises an error, see `standing.py`.

How: IPython calls a handler that decides how an exception is shown (`set_custom_exc`), and a callback after a cell
(`post_run_cell`), before the kernel reads whether the cell had an error.
"""

import ast
import contextlib
import os
import traceback
from collections.abc import Iterable
from typing import Any

from tqdm import tqdm

from utils.checks.engine.question import defined_by, note_end
from utils.checks.engine.verdict import STUB
from utils.checks.outline import digest, made_by, outlines
from utils.common.errors import CheckFailed, NotDone
from utils.common.messages import N_, Message, direction, listed, notebook_language
from utils.common.notebook import running_shell

# nbgrader sets this environment variable while it validates and grades.
NBGRADER_VARIABLE = "NBGRADER_EXECUTION"
GAP = N_("This cell needs {gap}, which is not written yet: write it, run it, then run this cell again.")
NAME = N_("This cell needs {name}, which a cell above could not make: look at that cell first.")
NOT_RUN = N_("This cell needs {name}, which a cell above makes: run the cells above first, from the top.")
NOT_PASSED = N_("Not passed yet: the check of {gaps}. What this cell shows may be wrong.")
HALF_TRAINED = N_("The training of {names} was stopped before its end: what this cell shows is not the trained model.")
STOPPED_AT = N_("Stopped at step {step} of {total}. To train to the end, run the cell again.")
STOPPED = N_("Stopped.")
FAILED = N_("the cell of `{name}` failed when it last ran ({error}): correct it and run it, then check again")
NOTICE = """\
<div dir="{{ direction }}" style="border-inline-start: 4px solid #777777; padding: 4px 12px; margin: 4px 0">○ \
{{ text }}</div>
"""


class Notice:
    """One sentence in a notebook's output, as HTML or as text."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return f"○ {self.text}"

    def _repr_html_(self) -> str:
        from jinja2 import Environment

        notice = Environment(autoescape=True).from_string(NOTICE)
        return notice.render(text=self.text, direction=direction(notebook_language()))


class GoingOn:
    """The state of one kernel: the running cell, failed definitions, and names that are missing because of a gap."""

    def __init__(self, shell: Any):
        self.shell = shell
        self.source = self.cell_id = ""
        self.objects: dict[str, Any] = {}  # what the names that the running cell defines meant before
        self.handled: BaseException | None = None  # the running cell's error, if the run continues after it
        self.failed: dict[str, str] = {}  # a function or class -> the exception that ended its cell's last run
        self.missing: dict[str, str] = {}  # a name that a failed cell assigns -> the gap it needs, "" if unknown
        self.unpassed: dict[str, str] = {}  # a question whose check failed last -> tests passed and tests, as "1/3"
        self.stopped: dict[str, set[str]] = {}  # id of a cell whose training was stopped -> the models it uses
        shell.set_custom_exc((Exception, KeyboardInterrupt), self.on_error)
        shell.events.register("pre_run_cell", self.before)
        shell.events.register("post_run_cell", self.after)

    def before(self, info: Any) -> None:
        self.source, self.cell_id = info.raw_cell or "", getattr(info, "cell_id", None) or ""
        self.handled = None
        self.objects = {name: self.shell.user_ns.get(name) for name in defined_by(self.source)}
        if self.is_ours():
            self.warn()

    def warn(self) -> None:
        """Say before one of the lesson's cells runs which checks have not passed, and which models are half trained."""
        needs = [gap for outline in outlines().values() for gap in outline.needs.get(self.cell_id, ())]
        gaps = [f"{gap} ({self.unpassed[gap]})" for gap in needs if gap in self.unpassed]
        if gaps:
            notice(Message(NOT_PASSED, {"gaps": listed(gaps)}))
        others = {name for cell, names in self.stopped.items() if cell != self.cell_id for name in names}
        if half := sorted(others & self.names_used()):
            notice(Message(HALF_TRAINED, {"names": listed(half)}))

    def names_used(self) -> set[str]:
        """Return the names in the running cell's code; none if it is not Python."""
        with contextlib.suppress(SyntaxError):
            tree = ast.parse(self.shell.transform_cell(self.source))
            return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        return set()

    def after(self, result: Any) -> None:
        """Remove a handled error from the cell's result, where the kernel looks for it: then the run continues."""
        error = result.error_before_exec or result.error_in_exec
        text = " ".join(f"{type(error).__name__}: {error}".split())[:300] if error else ""
        # An error below a definition, of a check in the same cell for instance, leaves a definition that is up to date.
        new = [name for name, old in self.objects.items() if self.shell.user_ns.get(name) is not old]
        note_end(self.failed, self.source, text, new)
        if error is None:
            self.stopped.pop(self.cell_id, None)
        if self.handled is not None and result.error_in_exec is self.handled:
            result.error_in_exec = None

    def on_error(self, shell: Any, kind: type, error: BaseException, trace: Any, tb_offset: int | None = None) -> None:
        """Show an error, as a sentence or a traceback, and mark it as handled in the three cases above."""
        if isinstance(error, CheckFailed):  # the check has shown its panel
            self.handled = error
            return
        if isinstance(error, KeyboardInterrupt):
            self.on_stop(shell, kind, error, trace, tb_offset)
            return
        # NotDone, the error of the last cell, must stay: a program that runs the notebook has to see it.
        ours = self.is_ours() and not isinstance(error, NotDone)
        message = self.explanation(error)
        if message is None:
            shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
        else:
            notice(message)
        if ours:
            self.delete_assigned(str(message.values.get("gap", "")) if message else "")
        if ours or message:
            self.handled = error

    def on_stop(self, shell: Any, kind: type, error: BaseException, trace: Any, tb_offset: int | None) -> None:
        """Show in one line where a training of the lesson was stopped; elsewhere the traceback. The run stops."""
        if not self.is_ours():
            shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
            return
        step = step_of(trace)
        notice(Message(STOPPED_AT, {"step": step[0], "total": step[1]}) if step else Message(STOPPED))
        modules = {name for name in self.names_used() if hasattr(shell.user_ns.get(name), "parameters")}
        self.stopped[self.cell_id] = modules

    def explanation(self, error: BaseException) -> Message | None:
        """Return the sentence that names the missing gap or name behind an error; None for any other error."""
        if isinstance(error, NotImplementedError) and (gap := STUB.match(str(error))):
            return Message(GAP, {"gap": gap[1]})
        if isinstance(error, NameError) and error.name in self.shell.user_ns:
            return None
        if isinstance(error, NameError) and error.name in self.missing:
            gap_name = self.missing[error.name]
            return Message(GAP, {"gap": gap_name}) if gap_name else Message(NAME, {"name": error.name})
        if type(error) is NameError and any(error.name in outline.makes for outline in outlines().values()):
            return Message(NOT_RUN, {"name": error.name})
        return None

    def is_ours(self) -> bool:
        """Return whether the running cell is one of a lesson's that only train or draw, by its id or its text."""
        text = digest(self.source)
        return any(self.cell_id in outline.shows or text in outline.shows.values() for outline in outlines().values())

    def delete_assigned(self, gap: str) -> None:
        """Delete the names that the failed cell has assigned, and record `gap` as the reason why they are missing."""
        for name, assigned in made_by(self.shell.transform_cell(self.source)).items():
            if assigned:
                self.shell.user_ns.pop(name, None)
            if name not in self.shell.user_ns:
                self.missing[name] = gap


def notice(message: Message) -> None:
    """Show one sentence in the notebook's language."""
    from IPython.display import display

    display(Notice(message.render(notebook_language())))  # type: ignore[no-untyped-call]  # IPython's


def step_of(trace: Any) -> tuple[int, int] | None:
    """Return the step, and the number of steps, of the progress bar in a traceback; None without one."""
    step = None
    for frame, _ in traceback.walk_tb(trace):
        for value in frame.f_locals.values():
            if isinstance(value, tqdm) and value.total:
                step = int(value.n), int(value.total)
    return step


def note_check(question: str, passed: int, total: int, *, written: bool = True) -> None:
    """Record how many of a check's tests have passed, for the cells that need the gap."""
    if state := getattr(running_shell(), "going_on", None):
        state.unpassed.pop(question, None)
        if written and passed < total:
            state.unpassed[question] = f"{passed}/{total}"


def failed_cell(students: Iterable[Any]) -> Message | None:
    """Return a message if the cell of one of these objects failed in its last run: the object is out of date."""
    failed = getattr(running_shell(), "going_on", None)
    for student in students:
        name = getattr(student, "__name__", "")
        if failed and name in failed.failed:
            return Message(FAILED, {"name": name, "error": failed.failed[name]})
    return None


def install() -> None:
    """Change this kernel's handling of errors as described above; nothing outside a kernel or under nbgrader."""
    shell = running_shell()
    if hasattr(shell, "kernel") and not under_nbgrader() and not hasattr(shell, "going_on"):
        shell.going_on = GoingOn(shell)


def under_nbgrader() -> bool:
    """Return whether nbgrader validates or grades the notebook."""
    return bool(os.environ.get(NBGRADER_VARIABLE))
