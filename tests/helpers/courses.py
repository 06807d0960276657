"""Functions that edit and configure a course, for tests of whole courses."""

from pathlib import Path

from autograder.common.paths import ROOT


def edit(path: Path, *changes: tuple[str, str]) -> None:
    """Replace texts in a file; each has to occur in it."""
    text = path.read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path.write_text(text, encoding="utf-8")


def configure(course: Path, *settings: str) -> None:
    """Write a course's `nbgrader_config.py`: it loads the workbook's, and adds the course's folder and these settings.

    Like the file of a real course, it has the workbook's path, so that nbgrader's commands run this workbook and not
    an installed one.
    """
    lines = [
        "from pathlib import Path",
        f"WORKBOOK = Path({str(ROOT)!r})",
        "c = get_config()",
        f"load_subconfig('nbgrader_config.py', path={str(ROOT)!r})",
        f"c.CourseDirectory.root = {str(course)!r}",
        *settings,
    ]
    (course / "nbgrader_config.py").write_text("\n".join(lines) + "\n")
