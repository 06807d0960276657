"""The terms of the lessons for students who read a translation: what each is called in English, from `TERMS.md`.

Names in code are English in every language, and so is most of what a student finds elsewhere. The table's columns are
headed by the languages' own names; a language without a column has no glossary, and its lessons link to none.
"""

from autograder.lesson.translation import NOTEBOOKS, message
from utils.checks.standing import ITSELF
from utils.common.messages import N_

TERMS = NOTEBOOKS / "TERMS.md"
FILE = "glossary.md"
GLOSSARY = N_("Glossary")
ABOUT = N_("The terms of the lessons, and what they are called in English, as in the code.")


def rows() -> list[list[str]]:
    """Return the cells of the table of terms, its head first."""
    lines = TERMS.read_text(encoding="utf-8").splitlines()
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [table[0], *table[2:]]


def glossary(language: str) -> str:
    """Return a language's glossary as Markdown, "" where there is none: English needs none."""
    (english, *others), *terms = rows()
    own = message(ITSELF, language)
    if own not in others:
        return ""
    column = 1 + others.index(own)
    lines = [f"| {own} | {english} |", "| --- | --- |"]
    lines += [f"| {term[column]} | {term[0]} |" for term in terms]
    return "\n".join([f"# {message(GLOSSARY, language)}", "", message(ABOUT, language), "", *lines, ""])
