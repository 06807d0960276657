"""Optional parts of a lesson: they run only if the student writes `OPTIONAL = True` above them."""

import os

from utils.common.messages import N_, said

# Programs that show or measure a whole lesson set this environment variable; then optional parts run as well.
OPTIONAL_VARIABLE = "ATTENTION_WORKBOOK_OPTIONAL"


def wanted(asked: bool) -> bool:
    """Return whether an optional part is to run; if not, say how to run it."""
    asked = asked or bool(os.environ.get(OPTIONAL_VARIABLE))
    if not asked:
        print(
            said(N_("Optional, and not run. To run it, write OPTIONAL = True in the cell above, and run both cells."))
        )
    return asked
