"""Formgrader as an instructor uses it, in a browser: from the list of lessons to feedback that is given back."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.course import new
from autograder.gradebook import books
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.setup import wheel_name
from autograder.lesson.text import Lesson
from autograder.reports import report
from tests.autograder.gradebook.test_beside import SHOWS, picture, png, submission
from tests.browser.conftest import jupyter_in

pytestmark = pytest.mark.whole

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
ESSAY = next(iter(ATTENTION.essays))
SECRET = "5" * 128
# Milliseconds: a notebook is graded in the meantime.
PATIENCE = 120_000


@pytest.fixture(scope="module")
def course(tmp_path_factory, store) -> Path:
    """A course with two submissions, of which one came by the exchange."""
    folder = tmp_path_factory.mktemp("course")
    exchange = folder / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    new.make(folder / "term", "dl-26", "en", exchange=exchange)
    figures = {SHOWS[SHOWS.index(ESSAY) - 1]: [picture(png(230, 170))]}
    hand_in(submission("en", figures), Course(folder / "term"), "ada", LESSON)
    (folder / "term" / "submitted" / "ada" / LESSON / "submission_secret.txt").write_text(SECRET)
    hand_in(compose(ATTENTION, blank=True), Course(folder / "term"), "bob", LESSON)
    return folder / "term"


@pytest.fixture(scope="module")
def formgrader(course) -> Iterator[str]:
    """The address of formgrader, in a Jupyter server of our own that stands in the course."""
    with jupyter_in(course, "--IdentityProvider.token=") as address:
        yield f"{address}/formgrader"


def foreign(page, address: str) -> list[str]:
    """Note what a page asks of other computers."""
    found: list[str] = []
    here = address.rpartition("/")[0]

    def note(request) -> None:
        if not request.url.startswith((here, "data:", "about:", "blob:")):
            found.append(request.url)

    page.on("request", note)
    return found


def confirm(page, says: str) -> None:
    """Wait for formgrader's word that something was done, and close it."""
    page.get_by_text(re.compile(says)).first.wait_for(timeout=PATIENCE)
    page.locator(".modal.in button.close, .modal.in [data-dismiss=modal]").first.click()
    page.locator(".modal.in").wait_for(state="hidden")


def test_from_the_list_of_lessons_to_feedback_that_is_given_back(browser, formgrader, course, tmp_path):
    page = browser.new_page(viewport={"width": 1200, "height": 1400})
    page.set_default_timeout(30_000)

    def look(name: str) -> None:
        page.screenshot(path=tmp_path / f"{name}.png", full_page=True)

    asked = foreign(page, formgrader)
    page.goto(formgrader)
    row = page.locator("tr", has=page.locator(".name", has_text=re.compile(rf"^{LESSON}$")))
    row.locator(".assign a").click()
    confirm(page, "Successfully created the student version|Success")
    assert (course / "release" / LESSON / f"{LESSON}.ipynb").is_file()
    row.locator(".release a").click()
    confirm(page, "Successfully released|Success")
    released = course.parent / "exchange" / "dl-26" / "outbound" / LESSON
    assert {path.name for path in released.iterdir()} == {f"{LESSON}.ipynb", wheel_name(Course(course).version)}
    look("manage")

    page.goto(f"{formgrader}/manage_submissions/{LESSON}")
    for student in ("ada", "bob"):
        page.locator("tr", has_text=student).locator(".autograde a").click()
        confirm(page, "Successfully graded|Success")
    look("submissions")
    marks = books.standings(Course(course), LESSON)
    automatic = sum(cell.points for cell in ATTENTION.of_role("test"))
    assert marks["ada"].total == automatic and marks["bob"].total == 0

    page.goto(f"{formgrader}/gradebook/{LESSON}/{LESSON}")
    page.locator("td.name a", has_text="Submission").first.wait_for()
    links = page.locator("td.name a").evaluate_all("all => all.map(one => one.href)")
    answer = None
    for link in links:
        page.goto(link)
        page.locator(f"#{ESSAY}").wait_for()
        if "My own answer" in page.locator("body").inner_text():
            answer = link
            break
    assert answer
    body = page.locator("body").inner_text()
    assert body.index("model answer and points") < body.index("\nPoints\n") < body.index("My own answer")
    figure = page.get_by_alt_text("the student's figure")
    assert figure.evaluate_all("all => all.map(one => one.naturalWidth)") == [230]
    # formgrader's script has got to its end: the first box has the focus, the next is a key away
    page.wait_for_function("document.activeElement.matches('.tabbable')")
    first = page.evaluate("document.activeElement.id")
    page.keyboard.press("Tab")
    page.wait_for_function("before => !['', before].includes(document.activeElement.id)", arg=first)
    box = page.locator(f"#{ESSAY}")
    box.fill("2.5")
    page.locator(f"#{ESSAY}-comment").fill("Well seen: $y < 3$.")
    box.focus()
    page.locator("body").click(position={"x": 5, "y": 300})
    page.wait_for_timeout(1500)
    page.locator(f"#{ESSAY}").scroll_into_view_if_needed()
    page.screenshot(path=tmp_path / "by-hand.png")
    assert page.locator(".cell math").count() > 20
    marks = books.standings(Course(course), LESSON)
    assert marks["ada"].total == automatic + 2.5 and ESSAY not in marks["ada"].waiting

    page.goto(f"{formgrader}/manage_submissions/{LESSON}")
    row = page.locator("tr", has_text="ada")
    row.locator(".generate-feedback a").click()
    confirm(page, "Successfully generated feedback|Success")
    row.locator(".release-feedback a").click()
    confirm(page, "Successfully released feedback|Success")
    assert not asked
    (given,) = (course.parent / "exchange" / "dl-26" / "feedback").iterdir()
    asked = foreign(page, "file:///")
    page.goto(given.as_uri())
    text = page.locator("body").inner_text()
    assert "Well seen" in text and "2.5 / 3" in text and "model answer" not in text
    assert page.locator("math").count() > 20 and not asked
    look("feedback")


def test_the_report_is_readable_in_black_and_white_and_printed(browser, formgrader, course, tmp_path):
    address = next(path for path in report.write_report(Course(course), ATTENTION) if path.suffix == ".html").as_uri()
    page = browser.new_page(viewport={"width": 794, "height": 1123})  # a sheet of A4
    asked = foreign(page, "file:///")
    page.goto(address)
    page.emulate_media(media="print")
    page.screenshot(path=tmp_path / "report.png", full_page=True)
    colours = page.evaluate(
        """() => [...new Set([...document.querySelectorAll("body *")].flatMap(one => {
            const style = getComputedStyle(one);
            return [style.color, style.backgroundColor, style.fill, style.borderTopColor];
        }))]"""
    )
    for colour in colours:
        if colour == "none":
            continue
        red, green, blue, *alpha = map(float, re.findall(r"[\d.]+", colour))
        assert red == green == blue or alpha == [0], colour  # greys: a printer's black loses nothing
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0 and not asked
    assert page.locator("svg text").count() > 10
    assert len(page.pdf()) > 10_000
