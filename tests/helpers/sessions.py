"""What tests of the sandbox ask its sessions."""

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
    """Give the sessions that are opened in this context other limits."""
    usual, sandbox.limits = sandbox.limits, limits
    try:
        yield sandbox
    finally:
        sandbox.limits = usual


def printed(session: Session, source: str) -> str:
    return "".join(output.get("text", "") for output in session.run_cell(source, "cell")["outputs"])


def value(session: Session, name: str):
    """The value of a name, asked for in a question."""
    with session.question():
        found = session.request(Step.GET, name=name)
        return session.request(Step.VALUE, args=found) if isinstance(found, wire.Ref) else found
