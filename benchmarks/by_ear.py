"""Writes what a screen reader says of a solved lesson, and the questions that its figures answer.

    python -m benchmarks.by_ear LESSON              # what is heard; runs the lesson if no run is kept
    python -m benchmarks.by_ear LESSON --questions  # ten questions that a sighted student answers from the figures

Heard are the lesson's prose, printed lines and tables, the alternative text of each figure and diagram, and of each
explorer the accessibility tree, its guided look, and the sentences of its live region while keys choose what it offers.
Nothing comes from a picture. The outputs are those of the run that `make site` keeps. `by_ear.toml` has the questions
with their answers; `by_ear.md` is the record of readers who had what is heard and the questions, and nothing else.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from playwright.sync_api import Browser, Page, sync_playwright

from autograder.common.course import WORKBOOK
from autograder.common.nodes import grade_id
from autograder.common.toml import read_toml
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson
from autograder.site import outputs
from autograder.site.explorers import framed
from autograder.site.lessons import LEFT_OUT, last_states
from benchmarks.explorers import CHROMIUM

QUESTIONS = Path(__file__).with_suffix(".toml")
MOST_CHOICES = 12  # choices of a group (words, networks, heads) that are gone through with the arrow keys
# Resolves when the page has been drawn anew, its models have written to the end, and its live region has its sentence.
DRAWN = """() => new Promise((done) => {
    const drawn = () => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(
        () => document.querySelector(".alive[data-writing=yes]") ? drawn() : requestAnimationFrame(done))), 250);
    drawn();
})"""


def heard(lesson: Lesson, by_cell: outputs.Outputs, browser: Browser) -> Iterator[str]:
    """Yield what is heard of a lesson, from its first cell to its last; code is left out."""
    for cell in release_notebook(lesson).cells:
        if grade_id(cell) in LEFT_OUT:
            continue
        if cell.cell_type == "markdown":
            yield str(cell.source)
        for output in by_cell.get(grade_id(cell), ()):
            yield from of_output(output, browser)


def of_output(output: NotebookNode, browser: Browser) -> Iterator[str]:
    """Yield what is heard of a cell's output."""
    if output.output_type == "stream":
        if output.name == "stdout":
            yield last_states(output.text)
        return
    shown = output.data.get("text/html", "")
    if page := framed(shown):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "explorer.html")
            path.write_text(page, encoding="utf-8")
            yield "\n".join(of_explorer(browser, path.as_uri()))
    elif "<img" in shown:  # a figure or a diagram, whose alternative text the output has in plain letters as well
        yield f"Picture: {output.data['text/plain']}"
    elif shown:
        page = browser.new_page()
        page.set_content(shown)
        yield page.locator("body").aria_snapshot()
        page.close()
    else:
        yield output.data.get("text/plain", "")


def of_explorer(browser: Browser, address: str) -> Iterator[str]:
    """Yield what is heard of an explorer: its tree, its guided look, and what it says when keys choose."""
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.goto(address)
    page.wait_for_selector(".alive[data-ms]")
    for fold in page.locator("summary").all():
        fold.click()
    page.evaluate(DRAWN)
    yield "The explorer, as a tree:"
    yield page.locator(".alive").aria_snapshot()
    yield "Its guided look:"
    page.locator(".guideme").focus()
    page.keyboard.press("Enter")
    while page.locator(".guide").is_visible():
        yield f"- {page.locator('.guide [role=status]').inner_text()}"
        page.keyboard.press("Enter")
    for group in page.locator("[role=radiogroup]").all():
        yield f"Arrow keys in the group “{group.get_attribute('aria-label')}”:"
        yield from _chosen(page, group)
    yield "Its switches, each on and off again:"
    for switch in page.locator("[role=switch]").all():
        switch.press("Enter")
        page.evaluate(DRAWN)
        yield f"- {switch.inner_text()}: {_said(page, '.why, .spoken')}"
        switch.press("Enter")
    page.close()


def _chosen(page: Page, group: Any) -> Iterator[str]:
    """Yield each choice of a group, and the sentence that the page says after it."""
    for number in range(min(MOST_CHOICES, group.locator("[role=radio]").count())):
        group.locator("[role=radio]").nth(number).press("Enter")
        page.evaluate(DRAWN)
        name = group.locator("[role=radio]").nth(number).aria_snapshot().splitlines()[0]
        yield f"{name} {_said(page, '.spoken')}"


def _said(page: Page, where: str) -> str:
    return " ".join(" ".join(page.locator(where).all_inner_texts()).split())


def questions(lesson: str) -> list[dict[str, str]]:
    """Return a lesson's questions, each with its answer and the name of the cell whose output shows it."""
    found: list[dict[str, str]] = read_toml(QUESTIONS)[lesson]
    return found


def main(name: str, *options: str) -> None:
    if "--questions" in options:
        print("\n".join(f"{number}. {one['asks']}" for number, one in enumerate(questions(name), start=1)))
        return
    lesson = Lesson.load(name, WORKBOOK)
    if not outputs.is_fresh(lesson, "en"):
        asyncio.run(outputs.keep(lesson, "en"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        print("\n\n".join(text for text in heard(lesson, outputs.kept(lesson, "en"), browser) if text))
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
