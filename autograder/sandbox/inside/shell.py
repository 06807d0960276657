"""IPython without a kernel: cells run in this process, and their outputs are collected, with bounds.

A notebook's kernel adds sockets, threads and seconds that grading does not need; what students use of
it (magics, `display`, figures, `get_ipython()`) belongs to IPython's shell, which is used here.
"""

import base64
import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from traitlets.config import Config

from utils.checks.engine.question import failure_of

from .compat import CollectingShell, name_cells
from .elsewhere import Elsewhere

# Bounds on one cell's outputs (characters, base64 characters, outputs): enough for honest prints and figures, small
# enough for a class of 300.
MAX_TEXT = 20_000
MAX_PICTURE = 1_000_000
MAX_OUTPUTS = 50
CUT = "\n… the rest of this output was cut"


class CapturedOutputs:
    """A cell's outputs in nbformat's form."""

    def __init__(self) -> None:
        self.items: list[dict[str, Any]] = []
        self.text_left = MAX_TEXT

    def text(self, name: str, text: str) -> None:
        if self.text_left <= 0:
            return
        text = text[: self.text_left] + (CUT if len(text) > self.text_left else "")
        self.text_left -= len(text)
        if self.items and self.items[-1].get("name") == name:
            self.items[-1]["text"] += text
        elif len(self.items) < MAX_OUTPUTS:
            self.items.append({"output_type": "stream", "name": name, "text": text})

    def data(self, kind: str, data: dict[str, Any]) -> None:
        """Keep plain text and PNG pictures only, so that nothing that a browser could run leaves the sandbox."""
        kept = {}
        if isinstance(data.get("text/plain"), str):
            kept["text/plain"] = data["text/plain"][: max(self.text_left, 0)]
            self.text_left -= len(kept["text/plain"])
        if isinstance(data.get("image/png"), str) and len(data["image/png"]) <= MAX_PICTURE:
            kept["image/png"] = data["image/png"]
        if kept and len(self.items) < MAX_OUTPUTS:
            self.items.append({"output_type": kind, "data": kept, "metadata": {}})


class Stream(io.TextIOBase):
    """The stdout and stderr of student code."""

    encoding = "utf-8"

    def __init__(self, shell: "Shell", name: str):
        self.shell = shell
        self.name = name

    def write(self, text: str) -> int:
        self.shell.outputs.text(self.name, str(text))
        return len(text)

    def writable(self) -> bool:
        return True


def _png_as_text(data: dict[str, Any]) -> dict[str, Any]:
    png = data.get("image/png")
    return data | {"image/png": base64.b64encode(png).decode()} if isinstance(png, bytes) else data


class Publisher(DisplayPublisher):
    """`display(...)`."""

    def publish(self, data: dict[str, Any], metadata: Any = None, *_others: Any, **_more: Any) -> None:
        _outputs(self.shell).data("display_data", _png_as_text(data))

    def clear_output(self, wait: bool = False) -> None:
        _outputs(self.shell).items.clear()


class Hook(DisplayHook):
    """The value of a cell's last line."""

    def __call__(self, result: Any = None) -> None:
        self.check_for_underscore()
        if result is not None and not self.quiet():
            data, _ = self.compute_format_data(result)
            self.update_user_ns(result)
            _outputs(self.shell).data("display_data", _png_as_text(data))


class NotebookShell(CollectingShell):
    """IPython's shell, with our collectors where a kernel has its sockets."""

    display_pub_class = Publisher
    displayhook_class = Hook
    wrapper: "Shell"


def _outputs(shell: Any) -> CapturedOutputs:
    """Return the collector of the current cell's outputs; IPython declares no type for a publisher's shell."""
    outputs: CapturedOutputs = shell.wrapper.outputs
    return outputs


class Shell:
    """Runs cells one by one and collects their outputs."""

    def __init__(self) -> None:
        config = Config()
        config.HistoryManager.enabled = False  # it starts a thread, and a thread does not survive a fork
        config.InteractiveShell.colors = "nocolor"
        config.InteractiveShell.banner1 = ""
        self.outputs = CapturedOutputs()
        self.cell = ""
        self.elsewhere = Elsewhere()
        self.shell = NotebookShell.instance(config=config)
        self.shell.wrapper = self
        name_cells(self.shell, lambda: f"<cell {self.cell}>")
        self.names = self.shell.user_ns

    def run(self, source: str, name: str) -> dict[str, Any]:
        """Run one cell; return its outputs and what it raised."""
        self.outputs, self.shell.error, self.cell = CapturedOutputs(), None, name
        sys.stdout, sys.stderr = Stream(self, "stdout"), Stream(self, "stderr")
        try:
            with self.elsewhere.harmless(source):
                result = self.shell.run_cell(source, store_history=False)
            failed = None if result.success else (result.error_before_exec or result.error_in_exec)
        except BaseException as error:  # raised by a hook that the student added to IPython
            failed = error
        failure = None
        if failed is not None:
            report = failure_of(failed)
            failure = [report.kind, report.text, report.where]
            kind, text, trace = self.shell.error or (type(failed).__name__, str(failed), "")
            self.outputs.items = self.outputs.items[: MAX_OUTPUTS - 1]
            self.outputs.items.append(
                {
                    "output_type": "error",
                    "ename": kind[:200],
                    "evalue": text[:2000],
                    "traceback": trace[:MAX_TEXT].split("\n"),
                }
            )
        return {"outputs": self.outputs.items, "failure": failure}

    @contextlib.contextmanager
    def quiet(self) -> Iterator[None]:
        """Discard what an examined call prints, because it belongs to no cell."""
        self.outputs = CapturedOutputs()
        yield


def make_shell() -> Shell:
    """Return the shell; once a cell loads matplotlib, figures are drawn inline as in a notebook."""
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    return Shell()
