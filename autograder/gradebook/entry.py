"""`configure`, which nbgrader's configuration files call: the workbook's own, and the one that `install` writes.

Imports nothing heavy at the top, because nbgrader silently skips a configuration file that raises ImportError.
"""

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from traitlets.config import Config


def configure(config: "Config") -> None:
    """Put our steps into nbgrader's converters, see `steps.configure`.

    Raises: SystemExit when a package that the steps need is missing.
    """
    try:
        if importlib.util.find_spec("torch") is None:  # checked here, because torch is loaded only for an examination
            raise ImportError("No module named 'torch'")
        from autograder.common.course import Course
        from autograder.sandbox import launch
        from autograder.speed import loading

        autogrades = sys.argv[1:2] == ["autograde"]
        if autogrades:
            # the sandbox's process loads torch while this process loads nbgrader
            launch.begin_if_possible(Course.around(Path.cwd()))
        with loading.quickly():
            from autograder.gradebook import steps

            if autogrades:
                from autograder.examine import examiner  # noqa: F401 - loads torch, which the step needs later
    except ImportError as error:
        from autograder.common.paths import ROOT

        activate = ROOT / ".venv" / "bin" / "activate"
        raise SystemExit(f"{ROOT} cannot be used by this Python ({error}); type: . {activate}") from None
    steps.configure(config)
