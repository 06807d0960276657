"""Functions with which tests of the sandbox use its sessions."""

from collections.abc import Iterator
from contextlib import contextmanager

from autograder.sandbox.inside import wire
from autograder.sandbox.inside.operations import Step
from autograder.sandbox.limits import Limits
from autograder.sandbox.parent import Sandbox
from autograder.sandbox.session import Session

LIMITS = Limits(cell_cpu_seconds=1.0, cell_wall_seconds=5.0, total_wall_seconds=60.0)


@contextmanager
def limited(sandbox: Sandbox, limits: Limits) -> Iterator[Sandbox]:
    """Give these limits to sessions that are opened in this context."""
    limits_before, sandbox.limits = sandbox.limits, limits
    try:
        yield sandbox
    finally:
        sandbox.limits = limits_before


def printed(session: Session, source: str) -> str:
    """Run code as a cell; return the text that it prints."""
    return "".join(output.get("text", "") for output in session.run_cell(source, "cell")["outputs"])


def value(session: Session, name: str):
    """Return the value of a name in the notebook, requested within a question."""
    with session.question():
        answer = session.request(Step.GET, name=name)
        return session.request(Step.VALUE, args=answer) if isinstance(answer, wire.Ref) else answer
