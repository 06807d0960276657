"""Import the examiner, the exams, the mistakes. They are not there."""

import importlib

for name in ("autograder", "autograder.exams", "autograder.examine.examiner", "autograder.sandbox.parent", "tests"):
    try:
        print("LEAK", importlib.import_module(name).__file__)
    except ImportError:
        pass
