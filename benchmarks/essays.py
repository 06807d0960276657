"""Marking a class's essays: `python -m benchmarks.essays FOLDER [--students 300] [--kills 20]`.

Makes a class of made-up students in FOLDER (kept for the next run), marks it in Chromium by the answers' known items,
and prints what `essays.md` records: times, bytes, pixels, keys; near-copies; marks kept over kills.
The answers are `essay_answers.txt`: a line has the language, the items deserved (0 for none), =LETTER for the two of a
disguised copy, and the text.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPException
from http.cookiejar import CookieJar
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from autograder.common.course import WORKBOOK, Course
from autograder.course import new
from autograder.essays.likeness import likenesses, near_copies
from autograder.gradebook import grade
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from autograder.lesson.translation import translate_notebook
from autograder.marking import serve

LESSON = Lesson.load("attention", WORKBOOK)
MEASURED = "why_convolutions_fail"
PORT = 18923
ADDRESS = f"http://127.0.0.1:{PORT}"
QUADRATIC = "[" * 20_000 + "*a " * 20_000


@dataclass(frozen=True)
class Written:
    """An answer that was written for this benchmark."""

    language: str
    items: str  # their keys, "" for none
    copy: str
    text: str


def written() -> dict[str, list[Written]]:
    """Return the answers to each question."""
    found: dict[str, list[Written]] = {}
    for line in Path(__file__).with_name("essay_answers.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            found[line.split()[1]] = answers = []
            continue
        language, items, text = line.split(" ", 2)
        copy, text = text.split(" ", 1) if text.startswith("=") else ("", text)
        answers.append(Written(language, items.replace("0", ""), copy, text))
    return found


def make_class(course: Path, students: int) -> None:
    """Hand in for all students, and grade; the last ones hand in nothing, 2 MB, and markup that is slow to read."""
    if (course / "gradebook.db").exists():
        return
    new.make(course, "essays", "en")
    answers = written()
    for number in range(students):
        language = answers[MEASURED][number % 60].language
        texts = {name: _for(answers[name], number, language) for name in answers}
        odd = {1: {}, 2: dict.fromkeys(texts, "x " * 1_000_000), 3: dict.fromkeys(texts, QUADRATIC)}
        notebook = compose(LESSON, odd.get(students - number, texts), blank=True, language=language)
        hand_in(translate_notebook(notebook, language), Course(course), f"s{number:03}", LESSON.name)
    grade.grade(LESSON.name, course=Course(course))


def _for(answers: list[Written], number: int, language: str) -> str:
    fits = [one for one in answers if one.language == language]
    return fits[number % len(fits)].text


@contextlib.contextmanager
def server(course: Path, *, for_marking: bool = False) -> Iterator[subprocess.Popen[bytes]]:
    """Run a Jupyter server in the course, until it is ended or killed; `for_marking`, as `workbook mark` does."""
    command = serve.command(LESSON.name, browser=False) if for_marking else [sys.executable, "-m", "jupyter", "server"]
    command += ["--no-browser", "--allow-root", f"--port={PORT}"]
    command += ["--ServerApp.port_retries=0", "--IdentityProvider.token=", "--ServerApp.password=", "--ip=127.0.0.1"]
    with Path(os.devnull).open("wb") as nowhere:
        running = subprocess.Popen(command, cwd=course, stdout=nowhere, stderr=nowhere)
        try:
            while True:
                with contextlib.suppress(OSError):
                    urllib.request.urlopen(f"{ADDRESS}/api", timeout=5).close()
                    break
                time.sleep(0.1)
            yield running
        finally:
            running.kill()
            running.wait()


def opened(page: Page) -> float:
    """Open the page of a question; return the seconds until the first answer is in hand."""
    start = time.perf_counter()
    page.goto(f"{ADDRESS}/essays/{LESSON.name}/{MEASURED}")
    page.locator("article[aria-current]").wait_for()
    return time.perf_counter() - start


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def first_pages(page: Page, pid: int, again: int = 20) -> None:
    """Print what a question's page costs in a browser that runs: just after the server's start, and the next times."""
    page.goto(f"{ADDRESS}/api")
    wall, cpu = [], [cpu_seconds(pid)]
    for _ in range(1 + again):
        wall.append(opened(page))
        cpu.append(cpu_seconds(pid))
    used = [after - before for before, after in pairwise(cpu)]
    for what, seconds in {"first page, s": wall, "first page, the server's CPU s": used}.items():
        cold, *warm = seconds
        told = {"cold": cold, "least": min(warm), "median": statistics.median(warm)}
        print(what, {name: round(one, 2) for name, one in told.items()})


def items_of(page: Page, known: dict[str, str]) -> str:
    """Return the keys of the items that the answer in hand deserves."""
    text = "".join((page.locator("article[aria-current] .text").text_content() or "").split())
    return known[max((start for start in known if text.startswith(start)), key=len, default="")]


def mark_all(page: Page, limit: int) -> tuple[int, int, list[float]]:
    """Mark open answers by their known items; return answers, keys, and the milliseconds of each save."""
    known = {"".join(one.text.split())[:40]: one.items for one in written()[MEASURED]}
    known[""] = ""
    keys = marked = 0
    while marked < limit and page.locator("article[aria-current]:not(.done)").count():
        given = items_of(page, known)
        for key in "a" if given == "123" else given:
            page.keyboard.press(key)
            keys += 1
        page.keyboard.press("Enter")
        keys, marked = keys + 1, marked + 1
    sent = "performance.getEntriesByType('resource').filter(e => e.name.endsWith('/mark')).map(e => e.duration)"
    while len(page.evaluate(sent)) < marked:  # the page goes on before its saves have arrived
        page.wait_for_timeout(200)
    return marked, keys, page.evaluate(sent)


def here(page: Page, limit: int) -> dict[str, Any]:
    """Return what marking costs on the marking page."""
    page.evaluate("performance.setResourceTimingBufferSize(2000)")
    height = page.evaluate("document.querySelector('#answers').scrollHeight")
    count = page.locator("article").count()
    size = len(page.request.get(f"{ADDRESS}/essays/api/{LESSON.name}/{MEASURED}/class").body())
    start = time.perf_counter()
    marked, keys, saves = mark_all(page, limit)
    took = time.perf_counter() - start
    return {
        "answers": count,
        "pixels an answer": round(height / count),
        "bytes an answer": round(size / count),
        "marked": marked,
        "keys an answer": round(keys / max(1, marked), 2),
        "save ms, least, median and 95 %": [
            round(one, 1) for one in (min(saves), statistics.median(saves), statistics.quantiles(saves, n=20)[-1])
        ],
        "machine seconds an answer": round(took / max(1, marked), 3),
    }


def formgrader(page: Page, answers: int) -> dict[str, Any]:
    """Return what the same costs in formgrader: a page an answer, a digit and Ctrl-. on each."""
    page.goto(f"{ADDRESS}/formgrader/gradebook/{LESSON.name}/{LESSON.name}")
    page.locator("td.name a").first.click()
    seconds, sizes, heights = [], [], []
    for _ in range(answers):
        start = time.perf_counter()
        page.reload()
        page.locator(f"#{MEASURED}").wait_for()
        seconds.append(time.perf_counter() - start)
        sizes.append(len(page.content()))
        heights.append(page.evaluate("document.documentElement.scrollHeight"))
        with page.expect_navigation():
            page.locator("li.next a").click()
    return {
        "seconds a page": round(statistics.median(seconds), 2),
        "bytes an answer": round(statistics.median(sizes)),
        "pixels an answer": round(statistics.median(heights)),
    }


def copies() -> dict[str, Any]:
    """Return how many of the disguised copies are found, and which other pairs are taken for copies, by question."""
    told = {}
    for name, answers in written().items():
        found = right = wrong = 0
        for language in ("en", "fr", "zh"):
            here = [one for one in answers if one.language == language]
            texts = [one.text for one in here]
            groups = near_copies(texts, likenesses(texts))
            for first in range(len(here)):
                for second in range(first):
                    copied = bool(here[first].copy) and here[first].copy == here[second].copy
                    same = groups[first] == groups[second]
                    found, right, wrong = found + copied, right + (copied and same), wrong + (same and not copied)
        told[name] = {"pairs": found, "found": right, "false alarms": wrong}
    return told


def kills(course: Path, number: int) -> dict[str, int]:
    """Kill the server at random moments of saving; return how many saves it confirmed, and how many were lost."""
    confirmed: dict[str, float] = {}
    for _ in range(number):
        with server(course) as running:
            client = Client()
            waiting = [one for one in client.all()["answers"] if one["asked"] and one["open"]]
            killer = threading.Timer(random.uniform(0.02, 0.6), running.kill)
            killer.start()
            with contextlib.suppress(OSError, HTTPException):
                for answer in waiting:
                    confirmed[answer["student"]] = client.mark(answer, ["mean"])["score"]
            killer.join()
    with server(course):
        now = {one["student"]: one for one in Client().all()["answers"]}
    lost = sum(now[student]["score"] != score or now[student]["open"] for student, score in confirmed.items())
    torn = sum(
        one["elsewhere"] or (not one["open"] and one["asked"] and one["items"] != ["mean"]) for one in now.values()
    )
    return {"kills": number, "saves confirmed": len(confirmed), "lost": lost, "items and points that disagree": torn}


class Client:
    """Asks the page's addresses as the page itself does, with the cookie and the token of a visit."""

    def __init__(self) -> None:
        self.cookies = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.opener.open(f"{ADDRESS}/essays/{LESSON.name}/{MEASURED}", timeout=60).close()

    def all(self) -> dict[str, Any]:
        return self._answered(urllib.request.Request(f"{ADDRESS}/essays/api/{LESSON.name}/{MEASURED}/class"))

    def mark(self, answer: dict[str, Any], items: list[str]) -> dict[str, Any]:
        body = json.dumps({"student": answer["student"], "version": answer["version"], "items": items}).encode()
        request = urllib.request.Request(f"{ADDRESS}/essays/api/{LESSON.name}/{MEASURED}/mark", body, method="PUT")
        request.add_header("X-XSRFToken", next(str(one.value) for one in self.cookies if one.name == "_xsrf"))
        return self._answered(request)

    def _answered(self, request: urllib.request.Request) -> dict[str, Any]:
        with self.opener.open(request, timeout=60) as answer:
            data: dict[str, Any] = json.load(answer)
        return data


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("folder", type=Path)
    asked.add_argument("--students", type=int, default=300)
    asked.add_argument("--kills", type=int, default=20)
    told = asked.parse_args()
    course = told.folder.resolve() / "term"
    make_class(course, told.students)
    print(json.dumps(copies(), indent=1))
    unmarked = (course / "gradebook.db").read_bytes()
    with server(course) as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        first_pages(page, running.pid)
        print(json.dumps({"formgrader": formgrader(page, 10)}, indent=1))
        opened(page)
        before = cpu_seconds(running.pid)
        found = here(page, told.students)
        found["server's CPU ms a save"] = round(1e3 * (cpu_seconds(running.pid) - before) / max(1, found["marked"]), 1)
        print(json.dumps({"here": found}, indent=1))
        browser.close()
    (course / "gradebook.db").write_bytes(unmarked)
    shutil.rmtree(course / "marking")
    print(json.dumps(kills(course, told.kills), indent=1))
    for for_marking in (False, True) * 3:
        with server(course, for_marking=for_marking) as running, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            print("started by workbook mark:" if for_marking else "any server:")
            first_pages(browser.new_page(viewport={"width": 1280, "height": 860}), running.pid, again=2)


if __name__ == "__main__":
    main()
