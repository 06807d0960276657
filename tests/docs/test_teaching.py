"""The pages for teachers name what is there: runs, mistakes, drawings; a session has its 90 minutes."""

import re
from xml.etree import ElementTree

import pytest
import yaml

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.lesson.text import Lesson
from autograder.lesson.translation import LANGUAGES
from autograder.mistakes import load
from autograder.site import documents, slides
from utils.version import __version__

PAGES = {path.parent.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "source").glob("*/teaching.md"))}
every_page = pytest.mark.parametrize("name", PAGES)


def part(name: str, heading: str) -> str:
    """A page's text below a heading."""
    return PAGES[name].split(f"\n## {heading}\n")[1].partition("\n## ")[0]


def rows(text: str) -> list[list[str]]:
    """The rows of a part's tables below their heads."""
    lines = [line.strip("|").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line] for line in lines if line[0].strip() not in ("minutes", "before", "---")]


@every_page
def test_each_session_has_90_minutes(name):
    first, second = part(name, "The plan").split("**Session 2")
    for session in (first, second):
        assert sum(int(minutes) for minutes, _ in rows(session) if minutes.isdigit()) == 90


@every_page
def test_what_is_run_and_written_is_in_the_lesson(name):
    lesson = Lesson.load(name, WORKBOOK)
    known = {cell.name for cell in lesson.cells} | {cell.grade_id for cell in lesson.cells}
    asked = [re.findall(r"`(\w+)`", before) for before, _ in rows(part(name, "Ask before the run"))]
    assert len(asked) >= 6 and {run for runs in asked for run in runs} <= known
    planned = set(re.findall(r"`(\w+)`", part(name, "The plan")))
    assert planned and planned <= known | set(PAGES)


@every_page
def test_misconceptions_are_three_and_name_mistakes_of_the_catalogue(name):
    told = [line for line in rows(part(name, "Three misconceptions")) if "mistakes that name it" not in line]
    known = set(load(Lesson.load(name, WORKBOOK)))
    named = [re.findall(r"`(\w+)`", mistakes) for _, mistakes, _ in told]
    assert len(named) == 3 and all(named)
    assert {one for mistakes in named for one in mistakes} <= known


def test_drawings_are_written_for_slides(tmp_path):
    written = slides.write(tmp_path)
    named = {found for page in PAGES.values() for found in re.findall(r"`([\w-]+\.svg)`", page)}
    assert {path.relative_to(tmp_path).parts[0] for path in written} == set(LANGUAGES)
    assert named == {path.name for path in written if path.name.partition("-")[0] in PAGES}
    for path in written:
        drawing = ElementTree.parse(path).getroot()
        assert drawing.tag.endswith("}svg") and not drawing.findall(".//{http://www.w3.org/2000/svg}style")
    english, french = (next((tmp_path / language).glob("*causal*")).read_text() for language in ("en", "fr"))
    assert english != french


@every_page
def test_a_page_is_on_the_site_and_tells_teachers_what_to_cut(name):
    assert f"source/{name}/teaching.md" in documents.PAGES
    assert "Leave out, in this order" in part(name, "Short of time") and "make slides" in part(name, "For slides")
    assert len(re.findall(r"\]\(https://", part(name, "What to read next"))) >= 3


def test_the_citation_has_the_present_version_and_no_invented_address():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["cff-version"] == "1.2.0" and {"title", "message", "authors"} <= set(cited)
    assert cited["version"] == __version__
    assert not {"doi", "url", "repository-code", "license"} & set(cited)
