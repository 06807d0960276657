"""Why a file is not taken. The caller reports the reason in one sentence and goes on with the rest of the class."""

from autograder.common.errors import InstructorError
from utils.common.messages import Message


class Refused(Exception):
    """A submitted file is not a notebook of the lesson; `message` tells the student why, and what to do."""

    def __init__(self, template: str, **values: str | int):
        super().__init__(template)
        self.message = Message(template, values)


class WrongLesson(Refused):
    """A submitted file is a notebook, but of another lesson."""


class Skip(InstructorError):
    """A file or archive is not collected; the text follows `Refused 'name': ` and tells the instructor why."""
