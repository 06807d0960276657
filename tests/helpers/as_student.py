"""`python tests/helpers/as_student.py NAME COMMAND…`: runs nbgrader's command under another user's name."""

import sys

sys.modules["rfc3987_syntax"] = None  # keeps jsonschema from compiling a grammar for a second, which nbgrader needs not

from nbgrader import utils  # noqa: E402

_, name, *command = sys.argv
utils.get_username = utils.get_osusername = lambda: name  # before the exchange's modules import these functions

if __name__ == "__main__":
    from nbgrader.apps.nbgraderapp import NbGraderApp

    sys.argv = ["nbgrader", *command]
    NbGraderApp.launch_instance()
