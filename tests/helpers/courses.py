"""What tests of whole courses share."""

from pathlib import Path

from autograder.common.paths import ROOT


def edit(path: Path, *changes: tuple[str, str]) -> None:
    """Replace texts in a file; each must be there."""
    text = path.read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path.write_text(text, encoding="utf-8")


def configure(course: Path, *settings: str) -> None:
    """Write a course's `nbgrader_config.py`: the workbook's own, for this folder, and more settings.

    It names the workbook as those of real courses do, so that nbgrader's commands run this one, not the installed one.
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
