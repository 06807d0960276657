"""The instructors' errors: each says what was expected, what came, and what to do next.

The command line shows the sentence alone, without a traceback. Errors that students may meet are in
`utils.common.errors`.
"""

from utils.common.errors import WorkbookError


class LessonError(WorkbookError):
    """A lesson is unknown or its text cannot be read; the sentence names the cell."""


class BuildError(WorkbookError):
    """A generated file is out of date or was edited; the sentence names the file and says what to do."""


class GradingError(WorkbookError):
    """Grading cannot go on; the sentence says what to do. What was graded stays graded."""


class StoreError(WorkbookError):
    """The store cannot be written; the sentence says where and why."""


class SandboxError(WorkbookError):
    """The sandbox cannot be made on this computer; the sentence says what to do."""


class SandboxLost(SandboxError):
    """Several sandboxes in a row died while they ran a notebook; another worker process may succeed."""


class ContainerError(WorkbookError):
    """The container cannot be used; the sentence says what to do."""


class CourseError(WorkbookError):
    """A folder is not a course, or cannot become a course; the sentence says what to do."""


class PlatformError(WorkbookError):
    """A learning platform did not do something, or is not to be trusted; the sentence says what, and what to do."""
