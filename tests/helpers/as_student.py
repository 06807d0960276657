"""`python tests/helpers/as_student.py NAME COMMAND…`: nbgrader's command as another user would type it."""

import sys

sys.modules["rfc3987_syntax"] = None  # what jsonschema would compile for a second, and nbgrader has no use for

from nbgrader import utils  # noqa: E402

_, name, *command = sys.argv
utils.get_username = utils.get_osusername = lambda: name  # before the exchange's modules take it from there

if __name__ == "__main__":
    from nbgrader.apps.nbgraderapp import NbGraderApp

    sys.argv = ["nbgrader", *command]
    NbGraderApp.launch_instance()
