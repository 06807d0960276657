"""Read the grader's arguments. They name nothing."""

import sys

if any("course" in text or "lesson" in text or "exam" in text for text in (*sys.argv, *sys.orig_argv)):
    print("LEAK", sys.argv, sys.orig_argv)
