"""The instructors' errors: each says what was expected, what came, and what to do next.

The command line shows the sentence alone, without a traceback, in the course's language. The names of these classes
mark their literal sentences for the catalogues (`course/catalogues.py`). Errors that students may meet are in
`utils.common.errors`.
"""

from autograder.common.sentences import spoken
from utils.common.errors import WorkbookError


class InstructorError(WorkbookError):
    """Base of the errors below: the sentence is in the course's language."""

    def __str__(self) -> str:
        return self.render(spoken())


class LessonError(InstructorError):
    """A lesson is unknown or its text cannot be read; the sentence names the cell."""


class BuildError(InstructorError):
    """A generated file is out of date or was edited; the sentence names the file and says what to do."""


class GradingError(InstructorError):
    """Grading cannot go on; the sentence says what to do. What was graded stays graded."""


class StoreError(InstructorError):
    """The store cannot be written; the sentence says where and why."""


class SandboxError(InstructorError):
    """The sandbox cannot be made on this computer; the sentence says what to do."""


class SandboxLost(SandboxError):
    """Several sandboxes in a row died while they ran a notebook; another worker process may succeed."""


class ContainerError(InstructorError):
    """The container cannot be used; the sentence says what to do."""


class CourseError(InstructorError):
    """A folder is not a course, or cannot become a course; the sentence says what to do."""


class PlatformError(InstructorError):
    """A learning platform did not do something, or is not to be trusted; the sentence says what, and what to do."""
