"""Marking the benchmark's 60 answers to a question by hand, in a browser that is told which keys to press.

    python -m benchmarks.essays_by_hand FOLDER make          a class in FOLDER: each answer once, in no order
    python -m benchmarks.essays_by_hand FOLDER here          the marking page; `formgrader`: nbgrader's page
    python -m benchmarks.essays_by_hand FOLDER compare       marks beside the items that the answers were written for

`here` and `formgrader` read lines of keys (`1 2 Enter`; `type:` before a text; `shot:` before a picture's path), press
them, and print the text that stands in the window then. Keys and times go to FOLDER/WHERE.jsonl.
"""

import argparse
import contextlib
import json
import random
import re
import shutil
import sys
import time
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from autograder.common.course import Course
from autograder.course import new
from autograder.essays.store import Store
from autograder.gradebook import books, grade
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.translation import translate_notebook
from benchmarks.essays import ADDRESS, LESSON, server, written

QUESTION = "why_position"
# A pause of the marker that is longer, in seconds, is none of marking and is not counted.
PAUSE = 120
# The text that stands in the window, an answer or a paragraph a line.
VISIBLE = """(root) => {
  const lines = new Map();
  const walker = document.createTreeWalker(document.querySelector(root), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, range = document.createRange();
    range.selectNodeContents(node);
    const inside = [...range.getClientRects()].some((box) => box.bottom > 0 && box.top < innerHeight && box.width);
    const parent = node.parentElement;
    const block = parent.closest("article, p, li, h1, h2, h3, h4, div, label, textarea") ?? parent;
    if (inside && node.data.trim()) lines.set(block, `${lines.get(block) ?? ""} ${node.data.trim()}`);
  }
  const sign = (block) => (block.matches("[aria-current] *, [aria-current]") ? ">" : " ");
  const box = document.activeElement.matches("input") ? [`focus: ${document.activeElement.value}`] : [];
  return [...[...lines].map(([block, line]) => sign(block) + line), ...box].join("\\n");
}"""


def answers() -> dict[str, int]:
    """Return the place of each student's answer in the file; the students' order says nothing."""
    places = list(range(len(written()[QUESTION])))
    random.Random(39).shuffle(places)
    return {f"s{number:02}": place for number, place in enumerate(places)}


def make_class(course: Path) -> None:
    """Make a course in which each answer is handed in by one student."""
    new.make(course, "by-hand", "en")
    for student, place in answers().items():
        one = written()[QUESTION][place]
        notebook = compose(LESSON, {QUESTION: one.text}, blank=True, language=one.language)
        hand_in(translate_notebook(notebook, one.language), Course(course), student, LESSON.name)
    grade.grade(LESSON.name, course=Course(course))


def open_here(page: Page) -> str:
    """Open the marking page; return the part of it that the marker is told."""
    page.goto(f"{ADDRESS}/essays/{LESSON.name}/{QUESTION}")
    page.locator("article[aria-current]").wait_for()
    return "#answers"


def open_formgrader(page: Page) -> str:
    """Open the first submission in formgrader, with the question's box for points in focus."""
    page.goto(f"{ADDRESS}/formgrader/gradebook/{LESSON.name}/{LESSON.name}")
    page.locator("td.name a").first.click()
    page.locator(f"input#{QUESTION}").click(timeout=120_000)
    return "body"


def press(page: Page, keys: str) -> int:
    """Press the keys of a line; return how many."""
    if keys.startswith("type:"):
        page.keyboard.insert_text(keys.removeprefix("type:"))
        return len(keys) - len("type:")
    if keys.startswith("shot:"):
        page.screenshot(path=keys.removeprefix("shot:"))
        return 0
    for key in keys.split():
        before = page.url
        page.keyboard.press(key)
        if key == "Control+.":  # formgrader's way to the next student
            with contextlib.suppress(Exception):  # after the last student it stays
                page.wait_for_url(re.compile(f"^(?!{re.escape(before)}$)"), timeout=5_000)
            page.locator(f"input#{QUESTION}:focus").wait_for()
    return len(keys.split())


def drive(course: Path, where: str) -> None:
    """Do what standard input says, until it ends."""
    log = course.parent / f"{where}.jsonl"
    with server(course), sync_playwright() as playwright, log.open("a", encoding="utf-8") as file:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        page.on("dialog", lambda dialog: dialog.accept())
        told = open_here(page) if where == "here" else open_formgrader(page)
        print(page.evaluate(VISIBLE, "body"), flush=True)
        for line in sys.stdin:
            came = time.time()
            count = press(page, line.rstrip("\n"))
            page.wait_for_timeout(300)
            print(page.evaluate(VISIBLE, told), "\n----", flush=True)
            file.write(json.dumps({"came": came, "shown": time.time(), "keys": count, "line": line.strip()}) + "\n")
            file.flush()
        browser.close()


def compare(course: Path) -> None:
    """Print minutes and keys of each place, and how often the marks are what the answers were written for."""
    for log in sorted(course.parent.glob("*.jsonl")):
        lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        pauses = [after["came"] - before["came"] for before, after in pairwise(lines)]
        minutes = sum(pause for pause in pauses if pause < PAUSE) / 60
        print(f"{log.stem}: {minutes:.1f} minutes, {sum(line['keys'] for line in lines)} keys, {len(lines)} looks")
    worth = {item.id: item.points for item in Store(Course(course), LESSON.name, QUESTION).rubric().items}  # type: ignore[union-attr]
    names = list(worth)
    standings = books.standings(Course(course), LESSON.name)
    same = dict.fromkeys(names, 0)
    points = 0
    for student, place in answers().items():
        wanted = {names[int(key) - 1] for key in written()[QUESTION][place].items}
        mark = Store(Course(course), LESSON.name, QUESTION).entry(student).mark
        given = set(mark.items if mark else [])
        for name in names:
            same[name] += (name in given) == (name in wanted)
        points += standings[student].scores[QUESTION] == sum(worth[name] for name in wanted)
    print(f"items as they were meant, of {len(answers())}: {same}; points as they were meant: {points}")


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("folder", type=Path)
    asked.add_argument("what", choices=("make", "here", "formgrader", "compare"))
    told = asked.parse_args()
    course = told.folder.resolve() / "term"
    if told.what == "make":
        make_class(course)
    elif told.what == "compare":
        compare(course)
    else:
        drive(course, told.what)


if __name__ == "__main__":
    main()
