"""The public check of a gap: called with the student's objects, it answers in under a second."""

from dataclasses import dataclass
from typing import Any

from utils.checks.answer_key import CHECK_SEED, StoredKey
from utils.checks.panel import show
from utils.checks.probe import Probe
from utils.checks.question import Question, observe
from utils.checks.verdict import judge
from utils.common.errors import CheckFailed
from utils.common.messages import N_, Message, notebook_language, translate


@dataclass
class Check(Question):
    """A question that students put to themselves, with hints; its answers are stored (`answer_key.py`)."""

    hints: tuple[str, ...] = ()
    _hints_given: int = 0

    def __call__(self, *students: Any) -> None:
        """Check the student's objects and show the verdicts. Raises: CheckFailed when something is not right."""
        language = notebook_language()
        key = StoredKey.of(self.lesson, self.name)
        verdicts = judge(self, key, lambda test: observe(test, Probe(self.sizes, CHECK_SEED), students))
        show(self, verdicts, language)
        if not all(verdict.passed for verdict in verdicts):
            passed = sum(verdict.passed for verdict in verdicts)
            values = {"name": self.name, "passed": passed, "total": len(verdicts)}
            raise CheckFailed(Message(N_("{name}: tests passed so far: {passed} of {total}."), values).render(language))

    def hint(self, level: int | None = None) -> None:
        """Show the next hint, or that of `level` (1 to 3); never the solution."""
        self._hints_given = min(level or self._hints_given + 1, len(self.hints))
        if not self.hints:
            print(translate(N_("There is no hint for this question."), notebook_language()))
            return
        hint = Message(self.hints[self._hints_given - 1])
        values = {"level": self._hints_given, "levels": len(self.hints), "hint": hint}
        print(Message(N_("Hint {level} of {levels}: {hint}"), values).render(notebook_language()))
