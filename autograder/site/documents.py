"""The site's pages besides the lessons: README and docs, under the names they have in the repository.

Because the names stay, links between these pages need no change. Three things do change: README becomes the site's
first page; a link to a file that the site lacks (a benchmark, say) becomes the file's name; and a page's line of links
to its translations goes, because each page of the site has a switch of languages.
"""

import re
from pathlib import PurePosixPath

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.lesson.translation import english_page_for, message
from utils.common.messages import N_

# `source/LESSON/asked.md` is left out, because it names the hidden tests.
FOR_PEOPLE = (
    "student",
    "instructor",
    "course",
    "marking",
    "assistants",
    "administrator",
    "lti",
    "translator",
    "maintainer",
    "auditor",
)
PAGES = (
    "README.md",
    *(f"docs/{name}.md" for name in FOR_PEOPLE),
    *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "source").glob("*/teaching.md"))),
    *("docs/promises.md", "docs/published.md", "docs/troubleshooting.md", "notebooks/TERMS.md", "CHANGELOG.md"),
)
HOME = "index.md"
STUDENTS = "docs/student.md"
# The translations of the student's page: the first page of a language's edition.
TRANSLATED = {path.suffixes[0][1:]: f"docs/{path.name}" for path in (ROOT / "docs").glob("student.*.md")}
LESSONS_TITLE, PAGES_TITLE = N_("Lessons"), N_("How to")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
# "*[En français](student.fr.md) · [中文](student.zh.md)*", a paragraph of its own.
OTHER_LANGUAGES = re.compile(r"^\*\[[^\n]*\]\(student[^\n]*\)\*\n\n", re.MULTILINE)


def pages(language: str) -> dict[str, bytes]:
    """Return a language's pages besides the lessons, and their pictures, by name."""
    ordered = list(WORKBOOK.lessons)
    contents = _contents(message(LESSONS_TITLE, language), [f"lessons/{name}" for name in ordered])
    if language != "en":
        if language in TRANSLATED:
            return {HOME: page(TRANSLATED[language], language) + contents}
        return {HOME: english_page_for(language, page(STUDENTS, language).decode()).encode() + contents}
    files = {HOME if name == "README.md" else name: page(name) for name in PAGES}
    files |= {f"docs/pictures/{path.name}": path.read_bytes() for path in (ROOT / "docs/pictures").iterdir()}
    files[HOME] += contents + _contents(PAGES_TITLE, [name.removesuffix(".md") for name in PAGES if name in files])
    return files


def page(name: str, edition: str = "en") -> bytes:
    """Return the text of a file in the repository as a page of a language's edition."""
    text = OTHER_LANGUAGES.sub("", (ROOT / name).read_text(encoding="utf-8"))
    return LINK.sub(lambda match: _link(match, PurePosixPath(name).parent, edition), text).encode()


def _link(match: re.Match[str], folder: PurePosixPath, edition: str) -> str:
    """Return a page's link in the form that works on the site.

    folder: the folder of the page's file, to which a link is relative.
    edition: the language. All pages here but the first are in the English edition only. Sphinx builds each edition by
        itself and would not find a page of another edition, so that a link to such a page is written as HTML.
    """
    picture, words, target = match.groups()
    path, mark, heading = target.partition("#")
    if picture or not path or path.startswith("https://"):
        return match[0]
    file = str((ROOT / folder / path).resolve().relative_to(ROOT))
    if file in PAGES and edition == "en":
        return match[0]
    if file in PAGES:
        return f'<a href="../{file.removesuffix(".md")}.html{mark}{heading}">{words}</a>'
    for language, name in TRANSLATED.items():
        if file == name:
            return f'<a href="{"../" * len(folder.parts)}{language}/index.html" lang="{language}">{words}</a>'
    return f"`{file}`"


def _contents(title: str, names: list[str]) -> bytes:
    """Return a table of contents, which the theme shows at the side of each page."""
    listed = "\n".join(names)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{listed}\n```\n".encode()
