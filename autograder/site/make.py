"""The site: lessons and docs as static pages, one edition for each language, built by Sphinx from the same texts.

    index.html, docs/…, lessons/…          English
    fr/index.html, fr/docs/…, fr/lessons/… the student's page, translated pages and the lessons in another language

All links are relative, so the site works in any folder, without a server. The site is inspected before it replaces an
older one.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import polib

from autograder.common.course import WORKBOOK
from autograder.common.errors import BuildError
from autograder.common.paths import ROOT
from autograder.lesson.text import Lesson, lessons_of
from autograder.lesson.translation import LANGUAGES, message
from autograder.site import documents, explorers, inspection, lessons, outputs
from utils.common.lessons import ORDER
from utils.common.messages import N_

# Sphinx's name of a language, where it differs from ours.
SPHINX_NAMES = {"zh": "zh_CN"}
# Words of the theme furo, which furo itself has in English only. It looks them up in Sphinx's message catalogue.
FURO = (
    *(N_("On this page"), N_("Next"), N_("Previous"), N_("Home"), N_("Back to top"), N_("Skip to content")),
    *(N_("Made with "), N_("Language"), N_("Please activate JavaScript to enable the search functionality.")),
)


def make(folder: Path, *, jobs: int = 0, say: Callable[[str], object] = print) -> list[str]:
    """Write the site into a folder, in place of an older site; return the addresses on other hosts that it links to.

    jobs: the number of lessons to run at a time; 0 runs none, and a page shows the outputs that were kept, if any.
    say: called with a sentence on each step.
    Raises: BuildError for a warning of Sphinx, or when the inspection finds a fault.
    """
    if jobs:
        asyncio.run(run_all(jobs, say))
    with tempfile.TemporaryDirectory() as scratch:
        built = Path(scratch, "site")
        for language in LANGUAGES:
            say(f"building the edition {language}")
            for name, content in sources(language).items():
                path = Path(scratch, language, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            build(Path(scratch, language), built if language == "en" else built / language, language)
        other_hosts = inspection.inspect(built)
        put_in_place(built, folder)
    return other_hosts


async def run_all(jobs: int, say: Callable[[str], object]) -> None:
    """Run each lesson in each language whose kept outputs are out of date. Raises: BuildError."""
    free_jobs = asyncio.Semaphore(jobs)

    async def run(lesson: Lesson, language: str) -> None:
        async with free_jobs:
            say(f"running {lesson.name} in {language} with the reference (some minutes)")
            await outputs.keep(lesson, language)

    editions = [(lesson, language) for language in LANGUAGES for lesson in lessons_of(WORKBOOK)]
    await asyncio.gather(*(run(*edition) for edition in editions if not outputs.is_fresh(*edition)))


def put_in_place(built: Path, folder: Path) -> None:
    """Copy a site into a folder, in place of an older site. Raises: BuildError if anything else is in the folder."""
    if folder.exists():
        if any(folder.iterdir()) and not (folder / "searchindex.js").is_file():
            raise BuildError(f"{folder} is not a site; name an empty or a new folder with --to.")
        shutil.rmtree(folder)
    shutil.copytree(built, folder)


def sources(language: str) -> dict[str, bytes]:
    """Return the files that Sphinx builds a language's edition from: texts and pictures by name."""
    files = documents.pages(language)
    for lesson in lessons_of(WORKBOOK):
        page = lessons.page(lesson, language, outputs.kept(lesson, language))
        extra = f"{explorers.EXTRA}/"
        files |= {name if name.startswith(extra) else f"lessons/{name}": content for name, content in page.items()}
    first = outputs.kept(Lesson.load(ORDER[0], WORKBOOK), language).get("explore", [])
    files[documents.HOME] = explorers.opened(files[documents.HOME], ORDER[0], first)
    return files


def build(texts: Path, folder: Path, language: str) -> None:
    """Let Sphinx build one edition, in another process, because Sphinx never unloads a language's catalogue.

    Raises: BuildError with Sphinx's first warnings.
    """
    sphinx_name = SPHINX_NAMES.get(language, language)
    catalogue = polib.POFile()
    catalogue.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    catalogue.extend(polib.POEntry(msgid=word, msgstr=message(word, language)) for word in FURO)
    compiled = texts / "locale" / sphinx_name / "LC_MESSAGES" / "sphinx.mo"
    compiled.parent.mkdir(parents=True)
    catalogue.save_as_mofile(str(compiled))
    sphinx = [sys.executable, "-m", "sphinx", "--quiet", "--no-color", "--fail-on-warning"]
    # doctrees are kept outside of the edition's folder, because every file in there is published
    folders = ["-c", str(Path(__file__).parent), "-d", str(texts / ".doctrees"), str(texts), str(folder)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    settings = ["-D", f"language={sphinx_name}"]
    if (extra := texts / explorers.EXTRA).is_dir():
        settings += ["-D", f"html_extra_path={extra}"]
    ran = subprocess.run([*sphinx, *settings, *folders], env=environment, capture_output=True, text=True)
    if ran.returncode:
        warnings = ran.stderr.replace(f"{texts}/", "").strip().splitlines()
        raise BuildError(f"Sphinx cannot build the edition {language}: {'; '.join(warnings[:5])}")
    for name in ("objects.inv", ".buildinfo"):  # only Sphinx uses these files
        (folder / name).unlink(missing_ok=True)
