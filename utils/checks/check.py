"""The public check of a gap: called with the student's objects, it shows the verdicts in under a second."""

import contextlib
import importlib
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from utils.checks.catch import caught
from utils.checks.engine.answer_key import CHECK_SEED, StoredKey
from utils.checks.engine.case_picture import CasePicture
from utils.checks.engine.cases import CaseBook, Pool
from utils.checks.engine.outcome import RAISED, WRONG, Verdict
from utils.checks.engine.panel import Panel, show, untouched
from utils.checks.engine.probe import Probe
from utils.checks.engine.question import Question, observe
from utils.checks.engine.small import fill
from utils.checks.engine.verdict import judge
from utils.checks.going_on import failed_cell, note_check
from utils.checks.order import COPY, LATER, NONE, OFFERED, Shuffle, students_of
from utils.common import lessons
from utils.common.errors import CheckFailed, WorkbookError
from utils.common.messages import N_, Message, notebook_language, said, translate

# After this many failed tries the panel offers a hint, even if it names the mistake; and after this many hints as well,
# the gap's lines.
TRIES = 3
HINTS = 2


@dataclass
class Check(Question):
    """A question that students run themselves, with hints; its answers are stored (`answer_key.py`)."""

    hints: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()  # torch's ready-made functions, where the text asks for the student's own code
    _hints_given: int = 0
    _failed: int = 0
    _cases: Iterator[CasePicture] = field(default_factory=lambda: iter(()))
    _panel: Panel | None = None  # of the last run

    def __call__(self, *students: Any) -> None:
        """Check the student's objects and show the verdicts. Raises: CheckFailed when something is not right."""
        with on_cpu():
            self._check(students)

    def _check(self, students: tuple[Any, ...], *, of_lines: bool = False) -> None:
        """Check objects of the notebook's cells or, `of_lines`, of lines that were put in order."""
        language = notebook_language()
        if failed := None if of_lines else failed_cell(students):
            heading = Message(N_("{title}: {summary}"), {"title": Message(self.title), "summary": failed})
            show(Panel(heading.render(language), RAISED, language=language))
            raise CheckFailed(failed.render(language))
        key = StoredKey.of(self.lesson, self.name)
        # Recorded, because the panel lists them: as red lines above it they would look like errors.
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            with CallsOf(self.by_hand) as ready_made:
                verdicts = self._judged(key, students)
        if ready_made.called:
            asked = N_("your code calls torch's `{name}`, but the text asks for your own code")
            refused = Message(asked, {"name": ready_made.called})
            verdicts = [replace(one, outcome=WRONG, reason=refused, mistake=None, also=None) for one in verdicts]
        warned = list(dict.fromkeys(" ".join(str(warning.message).split()) for warning in raised))
        passed = sum(verdict.passed for verdict in verdicts)
        if not of_lines:
            note_check(self.name, passed, len(verdicts), written=not untouched(verdicts))
        self._cases = self._small_cases(students, verdicts, language)
        picture = next(self._cases, None)
        last = self._offer(verdicts, language)
        seen = leading_to(self.lesson, [verdict.mistake for verdict in verdicts], language)
        last = " ".join(filter(None, (seen, last)))
        self._panel = Panel.of(self, verdicts, language, last, picture, warned, key.whys)
        show(self._panel)
        if passed < len(verdicts):
            values = {"name": self.name, "passed": passed, "total": len(verdicts)}
            raise CheckFailed(Message(N_("{name}: tests passed so far: {passed} of {total}."), values).render(language))

    def verdicts(self, students: tuple[Any, ...]) -> list[Verdict]:
        """Return the verdict of each test on the student's objects, without showing it."""
        return self._judged(StoredKey.of(self.lesson, self.name), students)

    def _judged(self, key: StoredKey, students: tuple[Any, ...]) -> list[Verdict]:
        return judge(self, key, lambda test: observe(test, Probe(self.sizes, CHECK_SEED), students))

    def _small_cases(
        self, students: tuple[Any, ...], verdicts: Sequence[Verdict], language: str
    ) -> Iterator[CasePicture]:
        """Yield the small cases in which a failed answer differs from the right one, those of named mistakes first."""
        failed = [verdict for verdict in verdicts if not verdict.passed]
        book = case_book(self.lesson) if failed and not untouched(verdicts) else None
        if book is not None:
            named = [name for verdict in failed for name in (verdict.mistake, verdict.also) if name]
            pool = Pool.read(book, self.lesson, self.name)
            for stored, run in pool.differing(students, named):
                shown = set(named) & pool.shows(stored)
                yield CasePicture(stored, run, language, len(shown))

    def show(self) -> None:
        """Show the next small case in which the answer that was checked last differs from the right one."""
        language = notebook_language()
        none_left = N_("There is no other small case; run the check again to see the first.")
        show(next(self._cases, None) or Panel(translate(none_left, language), "hint", language=language))

    def catch(self, **chosen: Any) -> None:
        """Show how many known mistakes a small case shows, before the code is written: see `catch.py`."""
        language, book = notebook_language(), case_book(self.lesson)
        if book is None or self.name not in book.forms:
            raise WorkbookError(N_("This question has no cases to choose from."))
        said = caught(self.lesson, self.name, book.forms[self.name], chosen)
        show(Panel(" ".join(message.render(language) for message in said), "hint", language=language))

    def json(self) -> None:
        """Print the panel of the last run as JSON, which an assistant can quote."""
        not_run = N_("Run the check first: this prints its last panel.")
        print(self._panel.to_json() if self._panel else translate(not_run, notebook_language()))

    def filled(self, module: Any, tasks: dict[str, str]) -> Any:
        """Give the layers of a module the simple tasks of a small case: see `fill`."""
        return fill(module, tasks)

    def _offer(self, verdicts: list[Verdict], language: str) -> str:
        """Return how to ask for the next hint, if a failed test has no name or `TRIES` tries have failed, and lines."""
        failed = [verdict for verdict in verdicts if not verdict.passed]
        if not failed or untouched(verdicts):
            return ""
        self._failed += 1
        wanted = self._failed >= TRIES or not all(verdict.mistake for verdict in failed)
        offers = [N_("A hint: check.{name}.hint()")] if wanted and self._hints_given < len(self.hints) else []
        offers += [OFFERED] if self._is_stuck() and Shuffle.of(self.lesson, self.name) else []
        return " · ".join(Message(offer, {"name": self.name}).render(language) for offer in offers)

    def _is_stuck(self) -> bool:
        return self._failed >= TRIES and self._hints_given >= min(HINTS, len(self.hints))

    def order(self, letters: str = "") -> None:
        """Show the gap's lines, or check an order of them by their letters: see `order.py`. Raises: WorkbookError."""
        lines = Shuffle.of(self.lesson, self.name)
        if lines is None:
            raise WorkbookError(NONE)
        if not self._is_stuck():
            raise WorkbookError(LATER, hints=self._hints_given, tries=self._failed)
        if not letters:
            print(lines.shown(self.name))
            return
        code = lines.code(self.name, letters)
        with on_cpu():
            self._check(students_of(self.lesson, self.name, code), of_lines=True)
        print(f"{said(COPY)}\n\n{code}")

    def hint(self, level: int | None = None) -> None:
        """Show the next hint, or the hint of `level`, 1 to 3; no hint is the solution."""
        language, total = notebook_language(), len(self.hints)
        wanted = level or self._hints_given + 1
        if not total:
            show(Panel(translate(N_("There is no hint for this question."), language), "hint", language=language))
        elif wanted > total:
            none_left = N_("There are no more hints ({levels}); hint(1) shows the first again.")
            show(Panel(Message(none_left, {"levels": total}).render(language), "hint", language=language))
        else:
            self._hints_given = max(self._hints_given, wanted)
            values = {"level": wanted, "levels": total, "hint": Message(self.hints[wanted - 1])}
            hint = Message(N_("Hint {level} of {levels}: {hint}"), values)
            show(Panel(hint.render(language), "hint", language=language))


# The sentence that leads from a named mistake to its switch in the explorer.
SEE = N_("What this does to a trained network: switch on “{switch}” in this lesson's explorer, in the section Explore.")


class CallsOf(TorchFunctionMode):
    """Within this context, notes which function of torch with one of these names is called."""

    def __init__(self, names: Collection[str]):
        super().__init__()
        self.names, self.called = names, ""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if (name := getattr(func, "__name__", "")) in self.names:
            self.called = name
        return func(*args, **(kwargs or {}))


def on_cpu() -> contextlib.AbstractContextManager[Any]:
    """Return a context in which new tensors are on the CPU, as a check's are, whatever default a notebook has set."""
    default = getattr(torch, "get_default_device", None)  # since torch 2.3
    return torch.device("cpu") if default and default().type != "cpu" else contextlib.nullcontext()


def case_book(lesson: str) -> CaseBook | None:
    """Return the case functions of a lesson; None where it has none."""
    there = lessons.file(lesson, "cases.py").is_file()
    return importlib.import_module(f"utils.{lesson}.cases").BOOK if there else None


def leading_to(lesson: str, mistakes: Iterable[str | None], language: str) -> str:
    """Return the sentence that leads from the first of these mistakes with a switch to it; "" if none has one."""
    if not lessons.file(lesson, "explorer.py").is_file():
        return ""
    words = importlib.import_module(f"utils.{lesson}.explorer").WORDS  # `mistake_<id>` for each switch
    names = [words[f"mistake_{mistake}"] for mistake in mistakes if f"mistake_{mistake}" in words]
    return Message(SEE, {"switch": Message(names[0])}).render(language) if names else ""
