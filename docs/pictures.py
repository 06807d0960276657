"""The README's pictures, taken of the product itself: `python docs/pictures.py [check] [class] [explorers] [gpt]`.

A check's answer comes from a cell of a lesson, run in a kernel with the reference's code; the class is the
demonstration's, in formgrader; the explorers and the figures of `gpt` are those of the run that `make site` keeps. It
needs Debian's chromium and playwright.
"""

import io
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from autograder import mistakes
from autograder.common.course import WORKBOOK, Course
from autograder.course import new
from autograder.demo import class_of_twelve
from autograder.gradebook import grade
from autograder.gradebook.configuration import gradebook_url
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from autograder.site import explorers as pages
from autograder.site import outputs

PICTURES = Path(__file__).parent / "pictures"
LESSON = "attention"
MISTAKE = "softmax_over_queries"
FIGURES = ("draw_induction", "draw_looks")  # cells of the lesson `gpt`
COLOURS = 48  # of the palette: so a picture takes tens of kilobytes
ALL_COLOURS = 256  # of an explorer's palette: each colour says something there, also one of a few pixels
# What a check that fails leaves behind besides its panel: the exception's one sentence.
WITHOUT = "raises-exception"


def executed(cells: list[str]) -> NotebookNode:
    """Return a notebook of these cells after a kernel has run them; a check may fail."""
    notebook = new_notebook(cells=[new_code_cell(cell, metadata={"tags": [WITHOUT]}) for cell in cells])
    NotebookClient(notebook, timeout=1800).execute()
    return notebook


def code(lesson: Lesson, name: str) -> str:
    """Return the code that a cell of a lesson has for students, solved."""
    return next(cell.code for cell in lesson.cells if cell.name == name and cell.role != "test")


@contextmanager
def page(width: int, height: int) -> Iterator[Page]:
    """Open a page of a browser in this size."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser.new_page(viewport={"width": width, "height": height})
        browser.close()


def keep(name: str, png: bytes, colours: int = COLOURS, method: Image.Quantize = Image.Quantize.MEDIANCUT) -> None:
    """Write a picture with a palette of `colours`, chosen by a method of Pillow."""
    picture = Image.open(io.BytesIO(png)).convert("RGB").quantize(colours, method, dither=Image.Dither.NONE)
    PICTURES.mkdir(exist_ok=True)
    path = PICTURES / f"{name}.png"
    picture.save(path, optimize=True)
    print(f"wrote {path.name}: {picture.width} x {picture.height}, {path.stat().st_size / 1000:.0f} kB")


def check() -> None:
    """A check's answer to a known mistake."""
    lesson = Lesson.load(LESSON, WORKBOOK)
    wrong = mistakes.code_of(lesson, mistakes.load(lesson)[MISTAKE])
    ran = executed([code(lesson, "imports"), wrong, "check.self_attention(SelfAttentionLayer)"])
    told = ran.cells[2]
    told.outputs = [output for output in told.outputs if output.output_type == "display_data"]
    shown = new_notebook(cells=[told], metadata={"language_info": {"name": "python"}})  # no line of the solution
    exporter = HTMLExporter(template_name="lab", exclude_input_prompt=True, exclude_output_prompt=True)
    html, _ = exporter.from_notebook_node(shown)
    with tempfile.TemporaryDirectory() as folder, page(860, 700) as browser:
        path = Path(folder, "check.html")
        path.write_text(html, encoding="utf-8")
        browser.goto(path.as_uri(), wait_until="domcontentloaded")
        keep("check", browser.locator("main").screenshot())


def whole_class() -> None:
    """The demonstration's class, graded, in formgrader."""
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder, "dl-26")
        new.make(course, "dl-26", "en")
        lesson = Lesson.load(LESSON, WORKBOOK)
        for minute, (student, answers) in enumerate(class_of_twelve(lesson).items()):
            path = hand_in(compose(lesson, **answers), Course(course), student, LESSON)
            path.with_name("timestamp.txt").write_text(f"2030-01-31 20:{4 * minute:02} UTC")
        grade.grade(LESSON, course=Course(course))
        with Gradebook(gradebook_url(Course(course))) as gradebook:
            for student in class_of_twelve(lesson):
                gradebook.update_or_create_student(student, first_name=student.capitalize(), last_name="Demo")
        with formgrader(course) as address, page(1280, 800) as browser:
            browser.goto(f"{address}/manage_submissions/{LESSON}")
            browser.locator("td.score", has_text="40").first.wait_for()
            keep("class", browser.screenshot())


@contextmanager
def formgrader(course: Path) -> Iterator[str]:
    """Start a Jupyter server in the course's folder; yield formgrader's address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "jupyter", "server", "--no-browser", "--allow-root", f"--port={port}"]
    command += ["--IdentityProvider.token=", "--ServerApp.password=", "--ip=127.0.0.1"]
    environment = os.environ | {"JUPYTER_CONFIG_DIR": str(course / "no-configuration")}
    server = subprocess.Popen(command, cwd=course, env=environment, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/formgrader"
    for _ in range(600):
        try:
            urllib.request.urlopen(address, timeout=5).close()
            break
        except OSError:
            time.sleep(0.2)
    try:
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)


def explorer_page(name: str) -> str:
    """Return the page that a lesson's explorer showed in the run that the site keeps (`make site`)."""
    shown = outputs.kept(Lesson.load(name, WORKBOOK), "en")["explore"]
    (found,) = (frame for output in shown if (frame := pages.framed(output.get("data", {}).get("text/html", ""))))
    return found


@contextmanager
def exploring(name: str, width: int) -> Iterator[Page]:
    """Open a lesson's explorer in a browser."""
    with tempfile.TemporaryDirectory() as folder, page(width, 900) as browser:
        path = Path(folder, "explorer.html")
        path.write_text(explorer_page(name), encoding="utf-8")
        browser.goto(path.as_uri())
        browser.locator(".alive[data-ms]").wait_for()
        browser.wait_for_function("() => !document.querySelector('.alive').dataset.writing")
        yield browser


def explorers() -> None:
    """The explorer of each lesson whose run the site keeps, and a moving picture of the first."""
    for name in WORKBOOK.lessons:
        if not outputs.kept(Lesson.load(name, WORKBOOK), "en"):
            print(f"no run of {name} is kept: make site")
            continue
        with exploring(name, 960) as browser:
            for stage in browser.get_by_role("radio", name="what each part adds").all():
                stage.click()
            browser.wait_for_timeout(3000)  # what moves has come to rest
            # The usual palette leaves out colours of a few pixels; this one spans them all.
            keep(f"explorer-{name}", browser.locator(".alive").screenshot(), ALL_COLOURS, Image.Quantize.MAXCOVERAGE)
        if name == LESSON:
            moving()


def moving() -> None:
    """A triangle is dragged away from its partner and raised, while the networks answer."""
    with exploring(LESSON, 780) as browser:
        frames = []
        box = browser.locator(".shape circle").nth(2).bounding_box()
        assert box is not None
        x, y = box["x"] + 5, box["y"] + 5
        end = browser.locator(".cards").bounding_box()
        assert end is not None
        clip: Any = {"x": 0, "y": 0, "width": 780, "height": end["y"] + end["height"] + 8}
        browser.mouse.move(x, y)
        browser.mouse.down()
        way = [(0, -step * 9) for step in range(10)] + [(step * 14, -81) for step in range(10)]
        for right, up in way + way[::-1]:
            browser.mouse.move(x + right, y + up)
            browser.wait_for_timeout(120)
            frames.append(Image.open(io.BytesIO(browser.screenshot(clip=clip))).convert("RGB"))
        browser.mouse.up()
    path = PICTURES / "explorer.webp"
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=140, loop=0, quality=50, method=6)
    print(f"wrote {path.name}: {len(frames)} pictures, {path.stat().st_size / 1000:.0f} kB")


def language_model() -> None:
    """Two figures of the lesson `gpt`: how two layers find a name, and where a trained head looks."""
    shown = outputs.kept(Lesson.load("gpt", WORKBOOK), "en")
    drawn = [output.get("data", {}).get("text/html", "") for name in FIGURES for output in shown[name]]
    figures = "".join(one for one in drawn if "<img" in one)
    with page(900, 700) as browser:
        browser.set_content(f"<main style='display: inline-block; text-align: center'>{figures}</main>")
        keep("gpt", browser.locator("main").screenshot())


TAKEN: dict[str, Callable[[], Any]] = {
    "check": check,
    "class": whole_class,
    "explorers": explorers,
    "gpt": language_model,
}

if __name__ == "__main__":
    for wanted in sys.argv[1:] or TAKEN:
        TAKEN[wanted]()
