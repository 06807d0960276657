"""The glossary of a translation: each term of the lessons and its English, from the table in `TERMS.md`.

Students need the English terms because names in code, and most pages elsewhere, are in English. Each column of the
table is headed by the language's own name; a language without a column has no glossary.
"""

from autograder.lesson.translation import NOTEBOOKS, message
from utils.common.messages import N_, own_name

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
    """Return the glossary of a language as Markdown; "" for English, and for a language without a column in `TERMS.md`.

    Terms without a translation are left out.
    """
    (english, *others), *terms = rows()
    own = own_name(language)
    if own not in others:
        return ""
    column = 1 + others.index(own)
    lines = [f"| {own} | {english} |", "| --- | --- |"]
    lines += [f"| {term[column]} | {term[0]} |" for term in terms if term[column]]
    return "\n".join([f"# {message(GLOSSARY, language)}", "", message(ABOUT, language), "", *lines, ""])
