"""Errors that concern the whole course, reported once: a full disk, a gradebook that cannot be used."""

import contextlib
import errno
import re
from collections.abc import Iterator

from sqlalchemy.exc import DatabaseError, NoSuchModuleError, OperationalError

from autograder.common.errors import GradingError
from utils.common.messages import N_, Message

# A pattern in the error's reason -> the advice in the sentence.
ADVICE = {
    "locked": N_("close other programs that use it (formgrader, another grading)"),
    "no such": N_("run `nbgrader db upgrade` in the course's folder"),
    "space|full|quota": N_("make room"),
    "read-?only": N_("make it writable"),
    "connect|server|resolve|host": N_("see whether the database server runs and can be reached"),
}
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
# The Python drivers by which SQLAlchemy reaches the databases that nbgrader's db_url may name.
DRIVERS = ("psycopg2", "psycopg", "asyncpg", "pg8000", "MySQLdb", "pymysql", "cx_Oracle", "oracledb", "pyodbc")
# A driver's module -> the package to install. For PostgreSQL, SQLAlchemy 2.1 uses psycopg, older versions psycopg2.
PACKAGES = {"psycopg": "psycopg[binary]", "psycopg2": "psycopg2-binary", "MySQLdb": "mysqlclient", "pymysql": "pymysql"}


@contextlib.contextmanager
def one_sentence() -> Iterator[None]:
    """Raise errors that concern the whole course as a GradingError of one sentence; others pass unchanged."""
    try:
        yield
    except Exception as error:
        cause = course_wide_cause(error)
        if cause is None:
            raise
        if isinstance(cause, ModuleNotFoundError | NoSuchModuleError):
            name = getattr(cause, "name", None) or str(cause)
            package = PACKAGES.get(name)
            how = f" (pip install '{package}')" if package else ""
            raise GradingError(
                "The gradebook's db_url names a database whose Python driver is not installed ({name}); install it in "
                "this environment{how}, then run the same command again.",
                name=name,
                how=how,
            ) from None
        reason = str(getattr(cause, "orig", None) or getattr(cause, "strerror", cause))
        if type(cause) is DatabaseError:  # exactly this class: SQLite's error for a file that is not a whole database
            raise GradingError(
                "The gradebook is damaged ({reason}); to restore its last copy and all later marks, type: "
                "workbook restore",
                reason=reason,
            ) from None
        advice = [text for form, text in ADVICE.items() if re.search(form, reason.lower())]
        raise GradingError(
            "The course's folder or its gradebook cannot be used ({reason}); {advice}, then run the same command "
            "again: nothing is lost.",
            reason=reason,
            advice=Message(advice[0] if advice else N_("look at its disk")),
        ) from None


def course_wide_cause(error: BaseException | None) -> BaseException | None:
    """Return the cause of an error that concerns the whole course; None for an error of one student alone."""
    while error is not None:
        full = isinstance(error, OSError) and error.errno in FULL
        driver = isinstance(error, ModuleNotFoundError) and error.name in DRIVERS
        if full or driver or isinstance(error, OperationalError | NoSuchModuleError) or type(error) is DatabaseError:
            return error
        error = error.__cause__ or error.__context__
    return None
