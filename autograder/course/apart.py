"""A course's own lesson at arm's length: its files run in a separate process with limits.

An own lesson may end Python, run for ever, take all memory or leave threads. None of that reaches the process that
grades: `run_apart` starts another, waits for its answer, and ends it with all that it has started. What is wrong is one
sentence that names a file of the lesson and a line.
"""

import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from itertools import dropwhile
from pathlib import Path
from typing import Any

from autograder.common.course import MISTAKES, TEXT, Course
from autograder.common.errors import BuildError
from autograder.common.paths import ROOT
from autograder.common.toml import TOMLDecodeError
from autograder.lesson.text import BEGIN_SOLUTION, END_SOLUTION, TEST_PREFIX, Lesson
from utils.common.errors import WorkbookError

# Seconds of processor time for one build, or one proof, of an own lesson: a large lesson's pairs of mistakes take a
# quarter of an hour. A process that sleeps is ended after `PATIENCE` times as many seconds.
SECONDS, PATIENCE = 1800, 3
# Bytes of memory: torch takes 0.3 GB, a lesson's arrays some more.
MOST_BYTES = 4 * 2**30
# Seconds between the request to end, which names the line, and the end.
GRACE = 5
# Bytes of an answer.
MOST_ANSWER = 10_000

PLACED = re.compile(r"(source|utils)/\S+, line \d+: ")
ENDED = "its files end Python (exit, os._exit, a crash); let them return or raise."
TOO_LONG = "this takes too long, or never ends."


class TimeIsUp(KeyboardInterrupt):
    """The process has used its time. A `KeyboardInterrupt`, which no test takes for an error of the answer."""


def run_apart(module: str, lesson: Lesson) -> None:
    """Run `python -m MODULE` for an own lesson; the module calls `answer`. Raises: BuildError, with one sentence."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as answers:
        arguments = [str(lesson.course), lesson.name, str(writing), str(SECONDS), str(MOST_BYTES)]
        process = started(module, arguments, writing)
        os.close(writing)
        try:
            process.wait(PATIENCE * SECONDS + 2 * GRACE)
            said = _read(answers.fileno())
        except subprocess.TimeoutExpired:
            said = TOO_LONG
        finally:
            with contextlib.suppress(ProcessLookupError):  # all of its group has ended
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if said:
        assert lesson.own
        raise BuildError(f"{lesson.own.source} cannot be used yet: {said}")


def started(module: str, arguments: list[str], descriptor: int) -> "subprocess.Popen[bytes]":
    """Start the process in a group of its own; what the lesson's files print goes nowhere."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        cwd=ROOT,
        pass_fds=[descriptor],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _read(descriptor: int) -> str:
    """Return the sentence that a process has answered, "" for success; a process that ended early gave no answer."""
    os.set_blocking(descriptor, False)  # what the lesson has started may keep the other end open
    try:
        return str(json.loads(os.read(descriptor, MOST_ANSWER))["said"])
    except (OSError, ValueError, KeyError, TypeError):
        return ENDED


def answer(work: Callable[[Lesson], Any], arguments: list[str]) -> None:
    """Do `work` with the lesson that the arguments name, within their limits, answer `run_apart`, end this process."""
    folder, name, descriptor, seconds, most = arguments
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + GRACE))
    resource.setrlimit(resource.RLIMIT_DATA, (int(most), int(most)))
    signal.signal(signal.SIGXCPU, _stop)
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(PATIENCE * int(seconds))
    lesson, said = Lesson.load(name, Course(Path(folder))), ""
    try:
        work(lesson)
    except BaseException as error:  # whatever the lesson's files raise, `SystemExit` included
        said = describe(error, lesson)
    os.write(int(descriptor), json.dumps({"said": said[: MOST_ANSWER // 8]}).encode())
    os._exit(0)  # threads that the lesson has left cannot hold it up


def _stop(*_: Any) -> None:
    raise TimeIsUp(TOO_LONG)


def describe(error: BaseException, lesson: Lesson) -> str:
    """Return a sentence about an error of an own lesson, with the file and the line that the error is about."""
    text = " ".join(str(error).split())
    if not isinstance(error, WorkbookError | TimeIsUp):
        text = f"{type(error).__name__}: {text}"
    if isinstance(error, TOMLDecodeError) and (line := re.search(r"at line (\d+)", text)):
        return f"{_place(lesson, MISTAKES, int(line[1]))}: {text}"
    if PLACED.match(text):
        return text
    place = place_in_traceback(error, lesson) or place_of_names(text, lesson)
    return f"{place}: {text}" if place else text


def place_in_traceback(error: BaseException, lesson: Lesson) -> str:
    """Return the innermost line of the lesson's own files among an error's calls, or of its cause's; "" for none."""
    places = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        places.append((error.filename, error.lineno or 1))
    for file, line in reversed(places):
        if place := place_of_line(file, line, lesson):
            return place
    return place_in_traceback(error.__cause__, lesson) if error.__cause__ else ""


def place_of_line(file: str, line: int, lesson: Lesson) -> str:
    """Return where a line that Python names is written: in one of the lesson's own files, or in a cell of its text."""
    if cell := re.fullmatch(r"<cell (\w+)(?::(\w+)(?:\+\w+)*)?>\w*", file):
        return place_of_mistake(cell[2], lesson) if cell[2] else place_of_cell(cell[1], lesson, line)
    path = Path(file)
    own = lesson.own
    if own and any(path.is_relative_to(folder) for folder in (own.source, own.utils)):
        return f"{path.relative_to(lesson.course.folder)}, line {line}"
    return ""


def place_of_cell(name: str, lesson: Lesson, line: int = 0) -> str:
    """Return where a cell's title is in the lesson's text, or the cell's `line`, counted without solution markers."""
    lines = list(_lines(lesson, TEXT))
    title = rf"# %% test {name.removeprefix(TEST_PREFIX)}\b" if name.startswith(TEST_PREFIX) else rf"# %% \w+ {name}\b"
    for index, (number, text) in enumerate(lines):
        if re.match(title, text):
            code = list(dropwhile(lambda later: not later[1], lines[index + 1 :]))
            counted = [n for n, text in code if text.strip() not in (BEGIN_SOLUTION, END_SOLUTION)]
            return _place(lesson, TEXT, counted[line - 1] if 0 < line <= len(counted) else number)
    return ""


def place_of_mistake(id_: str, lesson: Lesson) -> str:
    """Return where a mistake's entry is in the lesson's catalogue; "" if it is not there."""
    for number, text in _lines(lesson, MISTAKES):
        if re.match(rf'id\s*=\s*"{id_}"', text):
            return _place(lesson, MISTAKES, number)
    return ""


def place_of_names(sentence: str, lesson: Lesson) -> str:
    """Return the place of what a sentence names: a mistake, a test as QUESTION.TEST, or a question's cell; "" if none.

    The sentences of the build name what they are about, but not where it is written.
    """
    words = list(dict.fromkeys(re.findall(r"\w+(?:\.\w+)?", sentence)))
    finders: tuple[Callable[[str, Lesson], str], ...] = (place_of_mistake, place_of_test, place_of_cell)
    return next((place for find in finders for word in words if (place := find(word, lesson))), "")


def place_of_test(name: str, lesson: Lesson) -> str:
    """Return where a test is defined, by its name QUESTION.TEST; "" for another name."""
    from autograder.exams import reference  # here, because it loads torch, and every command of nbgrader loads us
    from autograder.exams.exam import exams_of

    question, dot, test = name.partition(".")
    if not dot or question not in lesson.tests:
        return ""
    for questions in (exams_of(lesson), reference.checks_of(lesson)):
        found = getattr(questions.get(question), "tests", {}).get(test)
        if found:
            code = found.function.__code__
            return place_of_line(code.co_filename, code.co_firstlineno, lesson)
    return ""


def _lines(lesson: Lesson, name: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers and the lines of a file of the lesson's own part."""
    if lesson.own and lesson.own.has(name):
        yield from enumerate((lesson.own.source / name).read_text(encoding="utf-8").split("\n"), start=1)


def _place(lesson: Lesson, name: str, line: int) -> str:
    assert lesson.own
    return f"{(lesson.own.source / name).relative_to(lesson.course.folder)}, line {line}"
