"""`python tests/as_student.py NAME COMMAND…`: nbgrader's command as another user would type it on this computer."""

import sys

from nbgrader import utils

_, name, *command = sys.argv
utils.get_username = utils.get_osusername = lambda: name  # before the exchange's modules take it from there

if __name__ == "__main__":
    from nbgrader.apps.nbgraderapp import NbGraderApp

    sys.argv = ["nbgrader", *command]
    NbGraderApp.launch_instance()
