"""What every course's configuration loads, and the configuration of a course in this folder, for trying things.

nbgrader and formgrader read it from the folder they start in. `python -m autograder new DIR` makes a course elsewhere.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT))

from autograder.gradebook.entry import configure  # noqa: E402

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "attention"
c.CourseDirectory.root = str(ROOT)

# The language of released notebooks: "en", "fr" or "zh".
c.Translate.language = "en"

# Where notebooks get the modules when neither those nor the wheel are there: the wheel's URL, or name==version.
c.Stamp.address = ""

# Our steps in nbgrader's converters: student code runs in the sandbox, feedback hides the hidden tests, and times are
# read without trusting the file that they stand in.
configure(c)
