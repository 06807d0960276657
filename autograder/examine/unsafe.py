"""Grading without a sandbox, for computers that have none: the notebook's code runs as you, in this process.

Use it only for notebooks that you trust: nothing stops an endless loop, nothing hides your files, and code can give
itself any mark. Each result is flagged, and the store keeps it apart from results of the sandbox.
"""

import contextlib
import io
import time
from typing import Any

from autograder.examine.outputs import Output, error_output
from autograder.examine.result import verdict_to_json
from autograder.examine.work import Work
from autograder.exams import reference
from autograder.exams.discreet import judge_discreetly
from autograder.exams.exam import exams_of
from utils.checks.engine.observation import Observation
from utils.checks.engine.outcome import Verdict
from utils.checks.engine.question import failure_of, observe

FLAG = "graded without a sandbox: these marks prove nothing about hostile code"


def run(work: Work, wanted: set[str]) -> dict[str, Any]:
    """Do the same as `examiner.run`, in this process."""
    names: dict[str, Any] = {"__name__": "__main__"}
    entries: dict[str, Any] = {}
    outputs: dict[str, list[Output]] = {}
    started, used = time.monotonic(), time.process_time()
    for cell in work.cells:
        question = work.question_of(cell)
        if question and work.questions[question] in wanted:
            verdicts = _run_exam(work, question, names)
            entries[work.questions[question]] = [verdict_to_json(verdict) for verdict in verdicts]
        elif not question and work.is_run(cell):
            outputs[cell.id] = _run_cell(cell.source, cell.id, names)
    cost = {"seconds": time.monotonic() - started, "cpu_seconds": time.process_time() - used}
    entries[work.cells_key] = {"outputs": outputs, "stopped": [FLAG], **cost}
    return entries


def _run_cell(source: str, name: str, names: dict[str, Any]) -> list[Output]:
    printed = io.StringIO()
    shown: list[Output] = []
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            reference.run_cell(source, name, names)
        except (Exception, SystemExit) as error:
            failure = failure_of(error)
            trace = [f"{failure.kind}: {failure.text}", failure.where]
            shown = [error_output(failure.kind, failure.text, trace)]
    if printed.getvalue():
        shown.insert(0, {"output_type": "stream", "name": "stdout", "text": printed.getvalue()[:20_000]})
    return shown


def _run_exam(work: Work, question: str, names: dict[str, Any]) -> list[Verdict]:
    exam = exams_of(work.lesson)[question]
    key = reference.key_of(work.lesson, exam, work.seed)
    try:
        students = reference.exam_call(work.lesson, question, names)
    except NameError as error:
        missing = Observation(failure=failure_of(error))
        return judge_discreetly(exam, key, lambda test: missing)
    return judge_discreetly(exam, key, lambda test: observe(test, key.probe(test), students))
