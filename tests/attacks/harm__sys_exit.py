"""Exit as a script would. It is an error of that cell."""

import sys

sys.exit(1)
