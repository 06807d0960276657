"""The outcome of a test, as plain data: it is stored, sent and shown where no network and no torch is loaded."""

from dataclasses import dataclass

from utils.common.messages import Message

PASSED, WRONG, RAISED, NOT_ATTEMPTED, STOPPED = "passed", "wrong", "raised", "not attempted", "stopped"


@dataclass(frozen=True)
class Verdict:
    """The outcome of one test.

    share: the test's part of the question's points, in [0, 1]. mistake, also: ids in the catalogue, two where two
    mistakes together give the test's result.
    """

    name: str
    ask: str
    share: float
    outcome: str
    reason: Message | None = None
    mistake: str | None = None
    also: str | None = None

    @property
    def passed(self) -> bool:
        return self.outcome == PASSED


def points(verdicts: list[Verdict], most: float) -> float:
    """Return the points that verdicts earn, at most `most`: a plain float in [0, most], rounded to hundredths."""
    if verdicts and all(verdict.passed for verdict in verdicts):
        return float(most)
    earned = sum(verdict.share for verdict in verdicts if verdict.passed)
    return float(min(max(round(earned * most, 2), 0.0), most))
