"""A course's configuration, as nbgrader's own commands load it, and the address of its gradebook."""

import os

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.paths import CONFIG_NAME, ROOT
from autograder.gradebook.late_rule import read_rule, rule_of
from autograder.gradebook.steps import Examine, configure
from utils.common.messages import LANGUAGES

CONFIG = ROOT / CONFIG_NAME


def configuration(course: Course) -> Config:
    """Return a course's configuration, from its own file or else from the workbook's.

    Raises: GradingError when the file cannot be loaded, or lacks the workbook's steps.
    """
    local = course / CONFIG_NAME
    path = local if local.is_file() else CONFIG
    try:
        config = PyFileConfigLoader(str(path)).load_config()
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        raise GradingError("{file} cannot be loaded ({reason}); correct it.", file=path, reason=reason) from None
    if Examine not in config.Autograde.get("autograde_preprocessors", []):
        raise GradingError(
            "{file} does not load the workbook's steps, so nbgrader would run student code without the sandbox; "
            "write into it: {line}",
            file=path,
            line=f'load_subconfig("{CONFIG_NAME}", path={str(ROOT)!r})',
        )
    for name in ("", *course.settings.by_lesson):
        read_rule(rule_of(course, config, name))
    config.CourseDirectory.root = str(course)
    configure(config)
    return config


def gradebook_url(course: Course) -> str:
    """Return the address of the course's gradebook. Raises: GradingError."""
    return str(CourseDirectory(config=configuration(course)).db_url)


def course_language(course: Course) -> str:
    """Return the course's language, in which instructors' pages are shown. Raises: GradingError."""
    chosen = os.environ.get("COURSE_LANGUAGE") or configuration(course).Translate.get("language", "en")
    return chosen if chosen in LANGUAGES else "en"
