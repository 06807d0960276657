"""The site's other pages: README and docs, as they stand in the repository, so that links between them need no change.

Three things are changed. README becomes the site's first page. A link to what is no page (a benchmark, say) becomes
the file's name. And the line of links to a page's other languages goes, since each page of the site has a switch.
"""

import re
from pathlib import PurePosixPath

from autograder.common.paths import ROOT, lesson_names
from autograder.lesson.translation import LANGUAGES, message
from utils.checks.standing import LESSONS
from utils.common.messages import N_

# `docs/asked.md` names the hidden tests, so that no site has it.
PAGES = (
    "README.md",
    *(f"docs/{name}.md" for name in ("student", "instructor", "administrator", "translator", "maintainer", "auditor")),
    *("docs/promises.md", "docs/troubleshooting.md", "notebooks/TERMS.md", "CHANGELOG.md"),
)
HOME = "index.md"
STUDENTS = "docs/student.md"
LESSONS_TITLE, PAGES_TITLE = N_("Lessons"), N_("How to")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
# "*[En français](student.fr.md) · [中文](student.zh.md)*", a paragraph of its own.
OTHER_LANGUAGES = re.compile(r"^\*\[[^\n]*\]\(student[^\n]*\)\*\n\n", re.MULTILINE)


def pages(language: str) -> dict[str, bytes]:
    """Return a language's pages besides the lessons, and their pictures, by their names."""
    if language == "en":
        files = {HOME if name == "README.md" else name: page(name, name) for name in PAGES}
        files |= {f"docs/pictures/{path.name}": path.read_bytes() for path in (ROOT / "docs/pictures").glob("*.png")}
        beside = [name.removesuffix(".md") for name in PAGES if name != "README.md"]
    else:
        files, beside = {HOME: page(_of_language(STUDENTS, language), STUDENTS, language)}, []
    ordered = [*LESSONS, *sorted(set(lesson_names()) - set(LESSONS))]
    files[HOME] += _contents(message(LESSONS_TITLE, language), [f"lessons/{name}" for name in ordered])
    files[HOME] += _contents(message(PAGES_TITLE, language), beside) if beside else b""
    return files


def _of_language(name: str, language: str) -> str:
    """Return the file of a page in a language, of the English one where it was not translated."""
    translated = name.replace(".md", f".{language}.md")
    return translated if (ROOT / translated).is_file() else name


def page(name: str, place: str, language: str = "en") -> bytes:
    """Return the text of a file as the page at `place` of a language's edition."""
    text = OTHER_LANGUAGES.sub("", (ROOT / name).read_text(encoding="utf-8"))
    return LINK.sub(lambda found: _link(found, PurePosixPath(place).parent, language), text).encode()


def _link(found: re.Match[str], folder: PurePosixPath, edition: str) -> str:
    """Return a link as the site has it; from another edition, one to a page that only the English one has."""
    picture, words, target = found.groups()
    path, mark, part = target.partition("#")
    if picture or not path or path.startswith("https://"):
        return found[0]
    there = str((ROOT / folder / path).resolve().relative_to(ROOT))
    if there in PAGES and edition == "en":
        return found[0]
    if there in PAGES:
        return f'<a href="../{there.removesuffix(".md")}.html{mark}{part}">{words}</a>'
    for language in LANGUAGES:
        if there == _of_language(STUDENTS, language) and language != "en":
            up = "../" * len(folder.parts)
            return f'<a href="{up}{language}/index.html" lang="{language}">{words}</a>'
    return f"`{there}`"


def _contents(title: str, names: list[str]) -> bytes:
    """Return the table of contents that stands at the side of each page."""
    listed = "\n".join(names)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{listed}\n```\n".encode()
