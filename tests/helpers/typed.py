"""Runs commands as if they were typed in a terminal, in forks of a process that has loaded the heavy packages.

A command of the workbook or of nbgrader loads PyTorch and nbgrader, which takes longer than the rest of most commands.
So one process of a test run loads these, and none of our modules, and forks for each command: the command loads the
workbook from its own PYTHONPATH. `test_new_course.py` runs some commands in new interpreters (`cold`) as well.
"""

import atexit
import importlib
import json
import os
import runpy
import select
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # without our own modules, which the warm process must not load
TIMEOUT = 300
# What most commands load, in tenths of a second: the packages of other people, and none of our modules.
HEAVY = ("torch", "nbgrader.apps", "jupytext", "matplotlib.pyplot", "numpy.random", "sqlalchemy.dialects.sqlite")
HEAVY += ("alembic.command", "alembic.script", "click", "rich.console", "polib", "nh3")


def run(folder: Path, *command: str, cold: bool = False, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, without this computer's own configuration of nbgrader."""
    pythons_folder = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": os.pathsep.join([pythons_folder, os.environ["PATH"]])}
    environment |= {"JUPYTER_CONFIG_DIR": str(folder / "no-configuration"), "JUPYTER_NO_CONFIG": ""} | variables
    if not cold and command[:2] == (sys.executable, "-m"):
        return _warm().run(command, folder, environment)
    as_text = {"capture_output": True, "encoding": "utf-8", "errors": "replace"}
    return subprocess.run(command, cwd=folder, env=environment, timeout=TIMEOUT, **as_text)


def nbgrader(folder: Path, *words: str, cold: bool = False, **variables: str) -> subprocess.CompletedProcess[str]:
    return run(folder, sys.executable, "-m", "nbgrader", *words, cold=cold, **variables)


def workbook(folder: Path, *words: str, cold: bool = False, **variables: str) -> subprocess.CompletedProcess[str]:
    variables = {"PYTHONPATH": str(ROOT)} | variables
    return run(folder, sys.executable, "-m", "autograder", *words, cold=cold, **variables)


@cache
def _warm() -> "Warm":
    return Warm()


class Warm:
    """The process that forks for each command; it ends when its input is closed, at the end of the test run."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            start_new_session=True,
        )
        atexit.register(self.process.communicate)  # closes the process's input

    def run(self, command: tuple[str, ...], folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess:
        with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as err:
            request = [command[2:], str(folder), environment, out.name, err.name]
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
            if not select.select([self.process.stdout], [], [], TIMEOUT)[0]:
                os.killpg(self.process.pid, signal.SIGKILL)
                raise subprocess.TimeoutExpired(command, TIMEOUT)
            code = int(self.process.stdout.readline())
            texts = [file.read().decode("utf-8", errors="replace") for file in (out, err)]
        return subprocess.CompletedProcess(command, code, *texts)


def serve() -> None:
    """Run each command that a line of the input names, in a fork; answer with a line, the exit code."""
    for name in HEAVY:
        importlib.import_module(name)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            answers.close()
            run_module(*json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answers, flush=True)


def run_module(words: list[str], folder: str, environment: dict[str, str], out: str, err: str) -> None:
    """Run `python -m words…` in this process, and end the process."""
    for number, path in enumerate((os.devnull, out, err)):
        os.dup2(os.open(path, os.O_RDWR), number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    pythonpath = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.path[:1], sys.argv = [folder, *pythonpath], list(words)
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    sys.exit(0)  # ends like an ordinary program, with its `atexit` functions


if __name__ == "__main__":
    serve()
