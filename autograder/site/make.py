"""The site: lessons and docs as static pages, one edition for each language, built by Sphinx from the same texts.

    index.html, docs/…, lessons/…          English
    fr/index.html, fr/lessons/…            the student's page and the lessons in the other languages

Sphinx, with furo's theme and MyST for markdown: alive, light and dark, a search that works from a folder, nothing from
another host. All links are relative, so that any folder will do. What is built is looked at before it is handed over.
"""

import asyncio
import io
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polib
from sphinx import locale
from sphinx.application import Sphinx
from sphinx.util.console import nocolor
from sphinx.util.docutils import docutils_namespace, patch_docutils

from autograder.common.errors import BuildError
from autograder.common.paths import lesson_names
from autograder.lesson.text import Lesson
from autograder.lesson.translation import LANGUAGES, message
from autograder.site import documents, inspection, lessons, outputs
from utils.common.messages import N_

THEME = Path(__file__).parent / "theme"
NAME = "The Attention Workbook"
# Sphinx's name of a language, where it is another than ours.
SPHINX_NAMES = {"zh": "zh_CN"}
# Words of furo's own, which it has in English alone; they reach it by Sphinx's catalogue.
FURO = (
    *(N_("On this page"), N_("Next"), N_("Previous"), N_("Home"), N_("Back to top"), N_("Skip to content")),
    *(N_("Made with "), N_("Language"), N_("Please activate JavaScript to enable the search functionality.")),
)
LEFT_OVER = ("objects.inv", ".buildinfo", ".doctrees")


def make(folder: Path, *, jobs: int = 0, say: Callable[[str], object] = print) -> list[str]:
    """Write the site into a folder, in place of what stood there; return the addresses that it links to elsewhere.

    jobs: so many lessons are run at a time; with none, a page has the outputs that were kept, or none.
    say: is told what is being done.
    Raises: BuildError for what Sphinx complains of, a broken link, a foreign file, or a line of a solution.
    """
    if jobs:
        asyncio.run(run_all(jobs, say))
    with tempfile.TemporaryDirectory() as scratch:
        built = Path(scratch, "site")
        for language in LANGUAGES:
            sources = Path(scratch, language)
            say(f"building the edition {language}")
            for name, content in texts(language).items():
                path = sources / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            _build(sources, built if language == "en" else built / language, language)
        elsewhere = inspection.inspect(built)
        put_in_place(built, folder)
    return elsewhere


async def run_all(jobs: int, say: Callable[[str], object]) -> None:
    """Run every lesson in every language whose kept outputs are out of date. Raises: BuildError."""
    places = asyncio.Semaphore(jobs)

    async def run(lesson: Lesson, language: str) -> None:
        async with places:
            say(f"running {lesson.name} in {language} with the reference (some minutes)")
            await outputs.keep(lesson, language)

    lessons_read = [Lesson.load(name) for name in lesson_names()]
    wanted = [(lesson, language) for language in LANGUAGES for lesson in lessons_read]
    await asyncio.gather(*(run(*one) for one in wanted if not outputs.is_fresh(*one)))


def put_in_place(built: Path, folder: Path) -> None:
    """Copy a site into a folder, in place of the site that stood there. Raises: BuildError when something else does."""
    if folder.exists():
        if any(folder.iterdir()) and not (folder / "searchindex.js").is_file():
            raise BuildError(f"{folder} holds something else than a site; name an empty or a new folder with --to.")
        shutil.rmtree(folder)
    shutil.copytree(built, folder)


def texts(language: str) -> dict[str, bytes]:
    """Return the texts and pictures that a language's edition is built from."""
    files = documents.pages(language)
    for lesson in map(Lesson.load, lesson_names()):
        shown = lessons.page(lesson, language, outputs.kept(lesson, language))
        files |= {f"lessons/{name}": content for name, content in shown.items()}
    return files


def _build(sources: Path, folder: Path, language: str) -> None:
    """Have Sphinx build one edition. Raises: BuildError with its first warnings."""
    catalogue = sources / "locale" / SPHINX_NAMES.get(language, language) / "LC_MESSAGES"
    catalogue.mkdir(parents=True)
    words = [polib.POEntry(msgid=word, msgstr=message(word, language)) for word in FURO]
    entries = polib.POFile()
    entries.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    entries.extend(words)
    entries.save_as_mofile(str(catalogue / "sphinx.mo"))
    warnings = io.StringIO()
    doctrees = sources / ".doctrees"
    nocolor()
    locale.translators.clear()  # what the edition before has loaded would come first
    with patch_docutils(), docutils_namespace():
        app = Sphinx(sources, None, folder, doctrees, "html", _settings(language), status=None, warning=warnings)
        app.build(force_all=True)
    if complaints := [line for line in warnings.getvalue().splitlines() if line.strip()]:
        raise BuildError(f"The site has {len(complaints)} complaints of Sphinx's: {'; '.join(complaints[:5])}")
    for name in LEFT_OVER:
        (folder / name).unlink(missing_ok=True)


def _settings(language: str) -> dict[str, Any]:
    """Return Sphinx's settings; there is no other configuration."""
    return {
        "project": NAME,
        "language": SPHINX_NAMES.get(language, language),
        "workbook_language": language,
        "locale_dirs": ["locale"],
        "extensions": ["myst_parser", "autograder.site.extension"],
        "myst_enable_extensions": ["dollarmath"],
        "myst_heading_anchors": 4,
        "myst_fence_as_directive": [],
        "html_math_renderer": "workbook",
        "highlight_language": "text",
        "html_theme": "furo",
        "html_title": NAME,
        "templates_path": [str(THEME)],
        "html_static_path": [str(THEME / "workbook.css")],
        "html_css_files": ["workbook.css"],
        "html_copy_source": False,
        "html_show_sourcelink": False,
        "html_show_copyright": False,
        "html_use_index": False,
        "html_domain_indices": False,
        "html_permalinks": False,
        "smartquotes": False,  # a lesson's text is as its author wrote it
        "exclude_patterns": ["locale"],
    }
