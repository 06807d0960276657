"""The site's pages besides the lessons: README and docs, under the names they have in the repository.

Because the names stay, links between these pages need no change. Three things do change: README becomes the site's
first page; a link to a file that the site lacks (a benchmark, say) becomes the file's name; and a page's line of links
to its translations goes, because each page of the site has a switch of languages.
"""

import os.path
import re

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.lesson.translation import LANGUAGES, english_page_for, message
from utils.common.messages import N_

# `source/LESSON/asked.md` is left out, because it names the hidden tests.
FOR_PEOPLE = "student instructor course marking assistants access administrator lti translator maintainer auditor"
PAGES = (
    "README.md",
    *(f"docs/{name}.md" for name in FOR_PEOPLE.split()),
    *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "source").glob("*/teaching.md"))),
    *("docs/promises.md", "docs/published.md", "docs/troubleshooting.md", "notebooks/TERMS.md", "CHANGELOG.md"),
)
HOME = "index.md"
STUDENTS = "docs/student.md"
# By language: the pages `docs/NAME.LANGUAGE.md`, each by its name in the edition. The student's page is the first page.
TRANSLATED = {
    language: {
        HOME if name == STUDENTS else name: file
        for name in PAGES
        if (ROOT / (file := name.replace(".md", f".{language}.md"))).is_file()
    }
    for language in LANGUAGES
}
# Each page's language, and its name in that edition.
PLACES = {name: ("en", HOME if name == "README.md" else name) for name in PAGES} | {
    file: (language, name) for language, files in TRANSLATED.items() for name, file in files.items()
}
LESSONS_TITLE, PAGES_TITLE = N_("Lessons"), N_("How to")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
# "*[En français](student.fr.md) · [中文](student.zh.md)*", a paragraph of its own.
OTHER_LANGUAGES = re.compile(r"^\*\[[^\n]*\]\(\w+(?:\.\w+)?\.md\)\*\n\n", re.MULTILINE)


def pages(language: str) -> dict[str, bytes]:
    """Return a language's pages besides the lessons, and their pictures, by name."""
    if language == "en":
        files = {PLACES[name][1]: page(name, PLACES[name][1]) for name in PAGES}
        files |= {f"docs/pictures/{path.name}": path.read_bytes() for path in (ROOT / "docs/pictures").iterdir()}
    else:
        files = {HOME: english_page_for(language, page(STUDENTS, HOME, language).decode()).encode()}
        files |= {name: page(file, name, language) for name, file in TRANSLATED.get(language, {}).items()}
    listed = [name.removesuffix(".md") for name in files if name.endswith(".md") and name != HOME]
    files[HOME] += _contents(message(LESSONS_TITLE, language), [f"lessons/{name}" for name in WORKBOOK.lessons])
    files[HOME] += _contents(message(PAGES_TITLE, language), listed) if listed else b""
    return files


def page(file: str, name: str, edition: str = "en") -> bytes:
    """Return the text of a file in the repository as the page `name` of a language's edition."""
    text = OTHER_LANGUAGES.sub("", (ROOT / file).read_text(encoding="utf-8"))
    return LINK.sub(lambda match: _link(match, file, name, edition), text).encode()


def same_page(name: str, here: str, there: str) -> str:
    """Return the page of the edition `there` that says the same as the page `name` of `here`, or else its first page.

    Lessons and the search are in every edition.
    name: without its ending.
    """
    if there == "en":
        return STUDENTS.removesuffix(".md") if name == "index" and here != "en" else name
    everywhere = name.startswith("lessons/") or name == "search"
    return name if everywhere or f"{name}.md" in TRANSLATED[there] else "index"


def _link(match: re.Match[str], file: str, name: str, edition: str) -> str:
    """Return a page's link in the form that works on the site.

    file: the page's file, to which the link is relative.
    name: the page's name in the edition.
    edition: the language. Sphinx builds each edition by itself and would not find a page of another edition, so that a
        link to such a page is written as HTML.
    """
    picture, words, target = match.groups()
    path, mark, heading = target.partition("#")
    if picture or not path or path.startswith("https://"):
        return match[0]
    linked = os.path.normpath(os.path.join(os.path.dirname(file), path))
    if linked not in PLACES:
        return f"`{linked}`"
    language, place = PLACES[linked]
    if language == edition:
        return f"[{words}]({os.path.relpath(place, os.path.dirname(name) or '.')}{mark}{heading})"
    to_root = "../" * (name.count("/") + (edition != "en"))
    folder, spoken = ("", "") if language == "en" else (f"{language}/", f' lang="{language}"')
    return f'<a href="{to_root}{folder}{place.removesuffix(".md")}.html{mark}{heading}"{spoken}>{words}</a>'


def _contents(title: str, names: list[str]) -> bytes:
    """Return a table of contents, which the theme shows at the side of each page."""
    listed = "\n".join(names)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{listed}\n```\n".encode()
