"""The instructors' half: builds the lessons, examines submissions, keeps results.

Nothing here is shipped to students or visible to their code. See README.md, "Maintainers".
"""

import sys

# jsonschema, which nbformat loads, would compile a grammar of internationalised addresses on import, in 1.5 s and
# for nothing: notebooks hold none. It does without a package that cannot be imported.
sys.modules.setdefault("rfc3987_syntax", None)
