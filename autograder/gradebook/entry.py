"""Where nbgrader's own commands come in: what a configuration calls, the workbook's and the environment's alike.

Imports nothing until it is called: a configuration that ends with an ImportError, nbgrader passes over.
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from traitlets.config import Config


def configure(config: "Config") -> None:
    """Put our steps into nbgrader's converters, see `steps.configure`, and lose no time before they are needed.

    Raises: SystemExit when this Python lacks what they need.
    """
    try:
        from autograder.sandbox import launch
        from autograder.speed import loading

        if sys.argv[1:2] == ["autograde"]:
            launch.begin_if_possible()  # it loads torch while nbgrader does
        with loading.quickly():
            from autograder.gradebook import steps
    except ImportError as error:
        from autograder.common.paths import ROOT

        activate = ROOT / ".venv" / "bin" / "activate"
        raise SystemExit(f"{ROOT} cannot be used by this Python ({error}); type: . {activate}") from None
    steps.configure(config)
