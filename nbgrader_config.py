"""nbgrader's configuration for this course; nbgrader and formgrader read it from the folder they start in."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent if "__file__" in globals() else Path.cwd()
sys.path.insert(0, str(ROOT))

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor  # noqa: E402
from nbgrader.preprocessors import (  # noqa: E402
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    DeduplicateIds,
    GetGrades,
    LimitOutput,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)

from autograder import release  # noqa: E402
from autograder.nbgrader_steps import Examine, HideTests, TakeIn  # noqa: E402

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "attention"
c.CourseDirectory.root = str(ROOT)

# The language of released notebooks: "en", "fr" or "zh".
c.Translate.language = "en"

# source/ -> release/
c.GenerateAssignment.preprocessors = release.PREPROCESSORS

# submitted/ -> autograded/ and gradebook.db: student code runs in our sandbox, never in a kernel beside us
c.Autograde.exporter_class = TakeIn
c.Autograde.sanitize_preprocessors = [
    ClearOutput,
    DeduplicateIds,
    OverwriteKernelspec,
    OverwriteCells,
    CheckCellMetadata,
]
c.Autograde.autograde_preprocessors = [
    Examine,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]

# autograded/ -> feedback/: without the hidden tests, and nothing of a student's that a browser would run
c.GenerateFeedback.preprocessors = [GetGrades, HideTests, CSSHTMLHeaderPreprocessor]
c.HTMLExporter.sanitize_html = True
