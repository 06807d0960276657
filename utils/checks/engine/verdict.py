"""Judging: the outcome of each test, its reason, and the known mistake that explains it."""

import contextlib
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from utils.checks.engine import failure as failures
from utils.checks.engine import naming, observation
from utils.checks.engine.failure import Failure
from utils.checks.engine.kinds import kind_of
from utils.checks.engine.naming import Catalogue
from utils.checks.engine.observation import Observation, difference
from utils.checks.engine.outcome import NOT_ATTEMPTED, PASSED, RAISED, STOPPED, WRONG, Verdict
from utils.checks.engine.pretended_gpu import CANNOT, as_on_gpu
from utils.checks.engine.probe import ON_GPU
from utils.checks.engine.question import Question, Test
from utils.common.errors import NotWritten
from utils.common.messages import N_, Message

# The text of a gap that is not written: `raise NotImplementedError("NAME: write the missing lines, …")`.
STUB = re.compile(r"(\w+): write the missing lines")
# Of a mistake that explains a part of a test's result.
PARTLY = N_("{mistake} Something else is wrong as well. ({detail})")
# Of a line that works on a real GPU. The test counts as passed, because the fault is the simulated GPU's.
NOT_SIMULATED = N_("our simulated GPU cannot run this line: “{where}”; that is our fault, and costs no points")


def judge(
    question: Question,
    key: Catalogue,
    run: Callable[[Test], Observation],
    patience: Callable[[], None] = naming.no_limit,
) -> list[Verdict]:
    """Run every test of `question` with `run` and return the verdicts; known mistakes are named.

    patience: ends the search for names, see `naming.name`; the outcomes do not depend on it.
    """
    seen = {name: run(test) for name, test in question.tests.items()}
    problems = {name: tell(question, test, seen[name], key) for name, test in question.tests.items()}
    judged = {name: result for name, result in seen.items() if not beyond_simulation(question.tests[name], result)}
    wrong, attempted = results(judged, {name for name, problem in problems.items() if problem})
    named: dict[str, naming.Name] = {}
    with contextlib.suppress(naming.TooLong):
        named = naming.name(question.tests, wrong, attempted, key, patience)
    total = sum(test.weight for test in question.tests.values())
    verdicts = []
    for name, test in question.tests.items():
        outcome, reason = problems[name] or (PASSED, None)
        known = named.get(name)
        if known is None and outcome == WRONG and _of_numbers(reason) and _is_plain(seen[name], key.expected(test)):
            # No known mistake explains the numbers: say at least how they differ.
            kind = kind_of(seen[name].value, key.expected(test), test.tolerance, question.sizes)
            reason = Message(N_("{kind} ({detail})"), {"kind": kind, "detail": reason}) if kind else reason
        also = known.second if known else None
        if known is not None and also is not None:
            two = N_("Two mistakes at once. {mistake} And: {also} ({detail})")
            reason = Message(two, {"mistake": Message(known.says), "also": Message(also.says), "detail": reason})
        elif known is not None and known.partly:
            reason = Message(PARTLY, {"mistake": Message(known.says), "detail": reason})
        elif known is not None:
            template = N_("{mistake} ({detail})") if known.sure else N_("{detail}. A likely cause: {mistake}")
            reason = Message(template, {"mistake": Message(known.says), "detail": reason})
        ids = known.id if known else None, also.id if also else None
        verdicts.append(Verdict(name, test.ask, test.weight / total, outcome, reason, *ids))
    return verdicts


def _is_plain(seen: Observation, right: Any) -> bool:
    """Return whether there is a value, and of a size that may have come of a mistake."""
    return seen.failure is None and not naming.is_large(seen.value, right)


def _of_numbers(reason: Message | None) -> bool:
    """Return whether a reason has a number or a shape beside the right one: then the kind of difference is known."""
    while reason is not None and isinstance(inner := reason.values.get("problem"), Message):
        reason = inner
    return reason is not None and isinstance(reason.values.get("got"), str)


def beyond_simulation(test: Test, seen: Observation) -> bool:
    """Return whether a test failed only because the simulated GPU cannot do an operation that a real one can."""
    return test.ask == ON_GPU and bool(seen.failure and CANNOT.search(seen.failure.text))


def tell(question: Question, test: Test, seen: Observation, key: Catalogue) -> tuple[str, Message] | None:
    """Return None for a passed test, else its outcome and the reason; a passed test may have a reason, too."""
    failure = seen.failure
    if failure and beyond_simulation(test, seen):
        return PASSED, Message(NOT_SIMULATED, {"where": failure.where})
    failure = failure and replace(failure, text=as_on_gpu(failure.text))
    if failure is None:
        wrong = difference(seen.value, key.expected(test), test.tolerance, question.sizes)
        return (WRONG, wrong) if wrong else None
    if _is_stub(failure):
        return NOT_ATTEMPTED, Message(
            N_("nothing to check yet: write your code in place of `raise NotImplementedError`")
        )
    if failure.kind == NotWritten.__name__:
        lacks = N_("{text} If you have written it: is its name misspelt, or is it indented too far?")
        return NOT_ATTEMPTED, Message(lacks, {"text": failure.text})
    if failure.kind == failures.NOTHING_RETURNED:
        return NOT_ATTEMPTED, Message(N_("your code returned None: is the return missing?"))
    if failure.kind == failures.STOPPED:
        return STOPPED, Message(failure.text)
    if failure.kind == failures.CELL_FAILED and (newer := re.search(rf"{failures.NEEDS_PYTHON} (\S+)$", failure.text)):
        too_new = N_(
            "its cell needs Python {needed}, but the grader has {here}: write it in an older style, or "
            "ask your instructor ({text})"
        )
        here = ".".join(map(str, sys.version_info[:2]))
        text = failure.text[: newer.start()].rstrip("; ")
        return RAISED, Message(too_new, {"needed": newer[1], "here": here, "text": text})
    if failure.kind == failures.CELL_FAILED:
        return RAISED, Message(N_("its cell did not run: {text}"), {"text": failure.text})
    if failure.kind == "NameError" and not failure.where:
        return NOT_ATTEMPTED, Message(N_("{text}: did its cell run without an error?"), {"text": failure.text})
    # From here on an exception of the student's code, or of torch below it. Texts of torch that do not lead to the line
    # to be changed come first; all others are quoted with the student's line.
    lacking = re.search(r"Module \[(\w+)\] is missing|(_forward_unimplemented)\(\)", failure.text)
    if lacking and lacking[1] in ("ModuleList", "ModuleDict"):
        held = N_("a `{type}` only holds modules: `nn.Sequential` calls them, one after the other")
        return WRONG, Message(held, {"type": lacking[1]})
    if lacking:
        return WRONG, Message(N_("your class has no `forward`: is the name misspelt, or is it indented too far?"))
    if underived := re.search(r"derivative for (?:aten::)?(\w+) is not implemented", failure.text):
        cut = N_("no gradient flows through `{name}`, although your result depends on it")
        return WRONG, Message(cut, {"name": underived[1]})
    if "leaf Variable that requires grad" in failure.text and failure.where:
        recorded = N_(
            "a tensor that takes part in a gradient is changed in place, in the line “{where}”: make a new tensor "
            "(`x = x + 1` instead of `x += 1`), or, for a parameter, put the line under `with torch.no_grad():`"
        )
        return RAISED, Message(recorded, {"where": failure.where})
    if re.search("not compiled with CUDA|No CUDA GPUs|NVIDIA driver", failure.text) and failure.where:
        no_gpu = N_(
            "the line “{where}” asks for a GPU, and there is none here: make new tensors with "
            "`device=x.device`, on the device of the inputs"
        )
        return RAISED, Message(no_gpu, {"where": failure.where})
    if "running_mean" in failure.text:
        return WRONG, Message(N_("a normalisation (`BatchNorm`) is among the layers; the text asks for none"))
    if failure.where:
        values = {"kind": failure.kind, "text": failure.text.rstrip("."), "where": failure.where}
        return RAISED, Message(N_("your code raised {kind}: {text}, in the line “{where}”"), values)
    return _test_failure(question, failure)


def _is_stub(failure: Failure) -> bool:
    """Return whether the gap's own line was raised, or a student's without a text; torch raises this error as well."""
    return failure.kind == "NotImplementedError" and (not failure.text or bool(STUB.match(failure.text)))


def _test_failure(question: Question, failure: Failure) -> tuple[str, Message]:
    """Explain an exception in the test's own lines by the student's object or result that caused it."""
    text = failure.text.rstrip(".")
    if "does not require grad" in text:
        return WRONG, Message(N_("no gradient flows through your result: something on the way cuts it off"))
    if unknown := re.fullmatch(r"expected a tensor, a number or text, got (\w+)", text):
        incomparable = N_(
            "your code returned a {type}, which cannot be compared: return tensors, numbers, text, or a list of them"
        )
        return WRONG, Message(incomparable, {"type": unknown[1]})
    if shapes := re.fullmatch(r"expected shape \(([\d, ]*)\), got \(([\d, ]*)\)", text):
        want, got = ([int(size) for size in re.findall(r"\d+", shape)] for shape in shapes.groups())
        return WRONG, observation.wrong_shape(got, want, question.sizes)
    if numbers := re.fullmatch(r"expected (\d+) results, got (\d+)", text):
        counts = {"expected": numbers[1], "got": numbers[2]}
        return WRONG, Message(N_("your code should return {expected} things, as a tuple; it returned {got}"), counts)
    if short := re.search(r"padded input size per channel: \((\d+)\)\. Kernel size: \((\d+)\)", text):
        sentence = N_(
            "a convolution gets an input of length {length}, padding included, for a kernel of {kernel}: does each "
            "layer before it keep the length? It does with stride 1 and enough padding"
        )
        return RAISED, Message(sentence, {"length": short[1], "kernel": short[2]})
    lacking = re.search(r"'(\w+)' (?:object )?has no attribute '(\w+)'", text)
    if lacking and lacking[2] in question.lacks:
        return WRONG, Message(question.lacks[lacking[2]])
    if re.search(r"'(list|tuple)'( object|$)|^list indices must", text):  # `bring` turns tuples into lists
        return WRONG, Message(N_("your code returned a list or a tuple where a single result is expected"))
    if lacking:
        return WRONG, Message(N_("your {type} has no `{name}`"), {"type": lacking[1], "name": lacking[2]})
    stumbled = N_("the test could not go on, {kind}: {text}; does your code take and return what the text asks for?")
    return RAISED, Message(stumbled, {"kind": failure.kind, "text": text})


def results(seen: dict[str, Observation], failed: set[str]) -> tuple[dict[str, Observation], dict[str, Observation]]:
    """Return the results of the failed tests, and of all tests, without those not attempted or stopped."""
    without = (NotWritten.__name__, failures.NOTHING_RETURNED, failures.STOPPED, failures.CELL_FAILED)
    attempted = {
        name: result
        for name, result in seen.items()
        if not (result.failure and (result.failure.kind in without or _is_stub(result.failure)))
    }
    return {name: result for name, result in attempted.items() if name in failed}, attempted
