"""Search the whole disk for the course: exams, solutions, gradebook, submissions. Nothing is there."""

import os

NAMES = {"gradebook.db", "submitted", "autograded", "examiner.py", "nbgrader_steps.py", "nbgrader_config.py"}
for folder, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if name not in ("site-packages", "proc", "sys")]
    if found := NAMES & {*folders, *files}:
        print("LEAK", folder, found)
