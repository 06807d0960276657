"""Look beside Python's environment, where the course is kept. Nothing else is there."""
# quick

import os
import sys

for folder in (sys.prefix, sys.base_prefix):
    beside = set(os.listdir(os.path.dirname(folder)))
    if beside & {"source", "release", "autograder", "submitted", "tests", ".git", "gradebook.db"}:
        print("LEAK", folder, beside)
