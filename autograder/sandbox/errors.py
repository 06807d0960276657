"""How a request to a sandbox can end without an answer; `examine/exam_run.py` makes verdicts of both."""

from utils.checks.engine.failure import STOPPED, Failure


class Stopped(Exception):
    """A session's request ended without an answer; `failure` says why, as a verdict's reason."""

    def __init__(self, why: str):
        super().__init__(why)
        self.failure = Failure(STOPPED, why)


class RemoteError(Exception):
    """The student's code raised; `failure` is what it raised."""

    def __init__(self, failure: Failure):
        super().__init__(failure.text)
        self.failure = failure
