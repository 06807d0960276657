"""The instructors' side: builds the lessons, runs submissions in a sandbox, examines and reports.

`python -m autograder --help` lists the commands. Nothing here is shipped to students.
"""

import sys

# jsonschema, which nbformat loads, would compile a grammar of internationalised addresses on import, in 1.5 s and
# for nothing: notebooks hold none. It does without a package that cannot be imported.
sys.modules.setdefault("rfc3987_syntax", None)
