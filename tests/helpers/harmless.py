"""A hundred cells of honest notebooks: habits that people have brought from other courses, packages and jobs."""

from pathlib import Path

CELLS = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("---\n")
