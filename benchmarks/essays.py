"""Measures how a class's essays are marked: `python -m benchmarks.essays FOLDER [--students 300] [--kills 20]`.

Makes a class of made-up students in FOLDER (kept for the next run), and marks its answers in Chromium, with items that
are known. Prints what `essays.md` records: times, bytes, pixels, keys; near-copies that are found; marks that survive
kills of the server. The answers are in `essay_answers.txt`: a line has the language, the items deserved (0 for none),
=LETTER for the two answers of a disguised copy, and the text.
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
MEASURED = "why_convolutions_fail"  # the question
PORT = 18923
ADDRESS = f"http://127.0.0.1:{PORT}"
SLOW_MARKDOWN = "[" * 20_000 + "*a " * 20_000  # takes time quadratic in its length


@dataclass(frozen=True)
class KnownAnswer:
    """An answer that was written for this benchmark."""

    language: str
    items: str  # the keys of the items that the answer deserves, "" for none
    copy: str  # the letter that the two answers of a disguised copy share, "" for other answers
    text: str


def known_answers() -> dict[str, list[KnownAnswer]]:
    """Return the answers to each question."""
    by_question: dict[str, list[KnownAnswer]] = {}
    for line in Path(__file__).with_name("essay_answers.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            by_question[line.split()[1]] = answers = []
            continue
        language, items, text = line.split(" ", 2)
        copy, text = text.split(" ", 1) if text.startswith("=") else ("", text)
        answers.append(KnownAnswer(language, items.replace("0", ""), copy, text))
    return by_question


def make_class(course: Path, students: int) -> None:
    """Hand in for all students, and grade; the last three hand in nothing, 2 MB, and markdown that is slow to parse."""
    if (course / "gradebook.db").exists():
        return
    new.make(course, "essays", "en")
    answers = known_answers()
    for number in range(students):
        language = answers[MEASURED][number % 60].language
        texts = {name: _for(answers[name], number, language) for name in answers}
        odd = {1: {}, 2: dict.fromkeys(texts, "x " * 1_000_000), 3: dict.fromkeys(texts, SLOW_MARKDOWN)}
        notebook = compose(LESSON, odd.get(students - number, texts), blank=True, language=language)
        hand_in(translate_notebook(notebook, language), Course(course), f"s{number:03}", LESSON.name)
    grade.grade(LESSON.name, course=Course(course))


def _for(answers: list[KnownAnswer], number: int, language: str) -> str:
    """Return the answer that a student gives, by the student's number."""
    in_language = [answer for answer in answers if answer.language == language]
    return in_language[number % len(in_language)].text


@contextlib.contextmanager
def server(course: Path, *, for_marking: bool = False) -> Iterator[subprocess.Popen[bytes]]:
    """Run a Jupyter server in the course; `for_marking`: the one that `workbook mark` starts."""
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
    """Print what it costs to open a question's page: for the first time after the server's start, and again."""
    page.goto(f"{ADDRESS}/api")
    wall, cpu = [], [cpu_seconds(pid)]
    for _ in range(1 + again):
        wall.append(opened(page))
        cpu.append(cpu_seconds(pid))
    used = [after - before for before, after in pairwise(cpu)]
    for what, seconds in {"first page, s": wall, "first page, the server's CPU s": used}.items():
        cold, *warm = seconds
        times = {"cold": cold, "least": min(warm), "median": statistics.median(warm)}
        print(what, {name: round(value, 2) for name, value in times.items()})


def items_of(page: Page, known: dict[str, str]) -> str:
    """Return the keys of the items that the answer in hand deserves."""
    text = "".join((page.locator("article[aria-current] .text").text_content() or "").split())
    return known[max((start for start in known if text.startswith(start)), key=len, default="")]


def mark_all(page: Page, limit: int) -> tuple[int, int, list[float]]:
    """Mark open answers by their known items; return answers, keys, and the milliseconds of each save."""
    known = {"".join(answer.text.split())[:40]: answer.items for answer in known_answers()[MEASURED]}
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
    while len(page.evaluate(sent)) < marked:  # the page goes on before its marks are saved
        page.wait_for_timeout(200)
    return marked, keys, page.evaluate(sent)


def on_marking_page(page: Page, limit: int) -> dict[str, Any]:
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
            round(value, 1) for value in (min(saves), statistics.median(saves), statistics.quantiles(saves, n=20)[-1])
        ],
        "machine seconds an answer": round(took / max(1, marked), 3),
    }


def in_formgrader(page: Page, answers: int) -> dict[str, Any]:
    """Return what marking costs in formgrader, which has one page for each student."""
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
    """Return, by question, how many disguised copies are found, and how many other pairs are taken for copies."""
    counts = {}
    for name, answers in known_answers().items():
        pairs = found = false_alarms = 0
        for language in ("en", "fr", "zh"):
            chosen = [answer for answer in answers if answer.language == language]
            texts = [answer.text for answer in chosen]
            groups = near_copies(texts, likenesses(texts))
            for first in range(len(chosen)):
                for second in range(first):
                    copied = bool(chosen[first].copy) and chosen[first].copy == chosen[second].copy
                    same = groups[first] == groups[second]
                    pairs += copied
                    found += copied and same
                    false_alarms += same and not copied
        counts[name] = {"pairs": pairs, "found": found, "false alarms": false_alarms}
    return counts


def kills(course: Path, number: int) -> dict[str, int]:
    """Kill the server at random moments while marks are saved; return how many saves it confirmed, and lost."""
    confirmed: dict[str, float] = {}
    for _ in range(number):
        with server(course) as running:
            client = Client()
            waiting = [answer for answer in client.all()["answers"] if answer["asked"] and answer["open"]]
            killer = threading.Timer(random.uniform(0.02, 0.6), running.kill)
            killer.start()
            with contextlib.suppress(OSError, HTTPException):
                for answer in waiting:
                    confirmed[answer["student"]] = client.mark(answer, ["mean"])["score"]
            killer.join()
    with server(course):
        answers = {answer["student"]: answer for answer in Client().all()["answers"]}
    lost = sum(answers[student]["score"] != score or answers[student]["open"] for student, score in confirmed.items())
    disagree = sum(
        answer["elsewhere"] or (not answer["open"] and answer["asked"] and answer["items"] != ["mean"])
        for answer in answers.values()
    )
    counts = {"kills": number, "saves confirmed": len(confirmed), "lost": lost}
    return counts | {"items and points that disagree": disagree}


class Client:
    """Sends the requests that the page sends, with the cookie and the token of a visit."""

    def __init__(self) -> None:
        self.cookies = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.opener.open(f"{ADDRESS}/essays/{LESSON.name}/{MEASURED}", timeout=60).close()

    def all(self) -> dict[str, Any]:
        return self._answered(urllib.request.Request(f"{ADDRESS}/essays/api/{LESSON.name}/{MEASURED}/class"))

    def mark(self, answer: dict[str, Any], items: list[str]) -> dict[str, Any]:
        body = json.dumps({"student": answer["student"], "version": answer["version"], "items": items}).encode()
        request = urllib.request.Request(f"{ADDRESS}/essays/api/{LESSON.name}/{MEASURED}/mark", body, method="PUT")
        request.add_header("X-XSRFToken", next(str(cookie.value) for cookie in self.cookies if cookie.name == "_xsrf"))
        return self._answered(request)

    def _answered(self, request: urllib.request.Request) -> dict[str, Any]:
        with self.opener.open(request, timeout=60) as answer:
            data: dict[str, Any] = json.load(answer)
        return data


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--kills", type=int, default=20)
    options = parser.parse_args()
    course = options.folder.resolve() / "term"
    make_class(course, options.students)
    print(json.dumps(copies(), indent=1))
    unmarked = (course / "gradebook.db").read_bytes()
    with server(course) as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 860})
        first_pages(page, running.pid)
        print(json.dumps({"formgrader": in_formgrader(page, 10)}, indent=1))
        opened(page)
        before = cpu_seconds(running.pid)
        costs = on_marking_page(page, options.students)
        costs["server's CPU ms a save"] = round(1e3 * (cpu_seconds(running.pid) - before) / max(1, costs["marked"]), 1)
        print(json.dumps({"here": costs}, indent=1))
        browser.close()
    (course / "gradebook.db").write_bytes(unmarked)
    shutil.rmtree(course / "marking")
    print(json.dumps(kills(course, options.kills), indent=1))
    for for_marking in (False, True) * 3:
        with server(course, for_marking=for_marking) as running, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            print("started by workbook mark:" if for_marking else "any server:")
            first_pages(browser.new_page(viewport={"width": 1280, "height": 860}), running.pid, again=2)


if __name__ == "__main__":
    main()
