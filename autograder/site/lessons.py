"""A lesson as a page: prose and code in the lesson's order, gaps left open, and each cell's outputs below the cell.

The text comes from the released notebook, which lacks solutions, model answers and hidden tests. Only the outputs come
from the run with the reference. The page is written in MyST, markdown with directives, which Sphinx reads.
"""

import base64
import html
import io
import re

from nbformat import NotebookNode
from PIL import Image

from autograder.common.nodes import grade_id
from autograder.lesson.release import release_notebook
from autograder.lesson.setup import SETUP_NAME, STANDING_NAME
from autograder.lesson.text import Lesson
from autograder.lesson.translation import message, translate_notebook
from autograder.site import explorers
from autograder.site.outputs import Outputs
from utils.common.embedded import svg_in
from utils.common.messages import N_

# Cells that a page leaves out, because they are useful only in a running notebook: the first, which finds the modules,
# and the last, a table of the student's progress.
LEFT_OUT = (SETUP_NAME, STANDING_NAME)
TO_READ = N_(
    "This page is for reading. Its figures and tables are the ones you see when the gaps are filled; you "
    "get the notebook in which you fill them from your course."
)
GAP, CHECK, ANSWER = N_("You write this"), N_("Check ({points} points)"), N_("You answer this ({points} points)")


def page(lesson: Lesson, language: str, outputs: Outputs) -> dict[str, bytes]:
    """Return a lesson's page and its pictures, by name in the folder `lessons`.

    outputs: the outputs of each cell, by the cell's id.
    """
    files: dict[str, bytes] = {}
    parts: list[str] = []
    for cell in translate_notebook(release_notebook(lesson), language, lesson).cells:
        name = grade_id(cell)
        if name in LEFT_OUT:
            continue
        parts.append(_as_myst(cell, lesson, language))
        for number, output in enumerate(outputs.get(name, ()), 1):
            text, pictures = _output_as_myst(output, lesson.name, f"pictures/{language}-{lesson.name}-{name}-{number}")
            parts.append(text)
            files |= pictures
    # The note goes below the title: Sphinx takes a page's first heading for its title.
    note = f'<p class="to-read">{html.escape(message(TO_READ, language))}</p>'
    heading, _, rest = parts[0].partition("\n")
    files[f"{lesson.name}.md"] = "\n\n".join([heading, note, rest.strip(), *parts[1:], ""]).encode()
    return files


def _as_myst(cell: NotebookNode, lesson: Lesson, language: str) -> str:
    """Return a cell of the released notebook as MyST; gaps, checks and essays are marked by a class or a caption."""
    name, points = grade_id(cell), f"{cell.metadata.get('nbgrader', {}).get('points', 0):g}"
    if name in lesson.essays:
        return _fenced("admonition", message(ANSWER, language).format(points=points), cell.source, ":class: gap")
    if cell.cell_type == "markdown":
        return str(cell.source)
    options = []
    if name in lesson.solutions:
        options = [":class: gap", f":caption: {message(GAP, language)}"]
    elif name.removeprefix("test_") in lesson.tests and name not in lesson.tests:
        options = [f":caption: {message(CHECK, language).format(points=points)}"]
    return _fenced("code-block", "python", cell.source, *options)


def _fenced(directive: str, argument: str, content: str, *options: str) -> str:
    """Return a directive. Its fence is longer than any run of backticks in the content, which else would end it."""
    fence = "`" * (1 + max(map(len, ["``", *re.findall("`+", content)])))
    return "\n".join([f"{fence}{{{directive}}} {argument}", *options, "", content, fence])


def _output_as_myst(output: NotebookNode, lesson: str, picture: str) -> tuple[str, dict[str, bytes]]:
    """Return an output as MyST, and the file of its picture or its explorer, if it has one.

    picture: the name of a picture's file, without a suffix. Its alternative text is the output's `text/plain`.
    """
    if output.output_type == "stream":
        text = last_states(output.text) if output.name == "stdout" else ""
        return (_fenced("code-block", "text", text, ":class: output") if text else ""), {}
    data = output.data
    files: dict[str, bytes] = {}
    # An output has several forms, of which the best is taken: explorer, drawing, picture, table, text.
    if explorers.framed(data.get("text/html", "")):
        name = f"{explorers.FOLDER}/{lesson}.html"
        files = {f"{explorers.EXTRA}/lessons/{name}": explorers.framed(data["text/html"]).encode()}
        return _fenced("raw", "html", explorers.frame(data["text/html"], name)), files
    if svg := svg_in(data.get("text/html", "")):
        files = {f"{picture}.svg": svg.encode()}
    elif "image/png" in data:
        files = {f"{picture}.webp": _as_webp(data["image/png"])}
    for name in files:
        alternative = " ".join(data.get("text/plain", "").split())
        return _fenced("image", name, "", f":alt: {alternative}", ":class: figure"), files
    if "text/html" in data:
        return _fenced("raw", "html", f'<div class="output">{data["text/html"]}</div>'), {}
    return _fenced("code-block", "text", data["text/plain"], ":class: output"), {}


def last_states(text: str) -> str:
    """Return a printed text in which each line has its last state, because a progress bar overwrites its line often."""
    return "\n".join(line.rstrip("\r").rpartition("\r")[2].rstrip() for line in text.rstrip().split("\n"))


def _as_webp(png: str) -> bytes:
    """Return a PNG in base64 as lossless WebP, which takes half the space."""
    written = io.BytesIO()
    with Image.open(io.BytesIO(base64.b64decode(png))) as picture:
        picture.save(written, "WEBP", lossless=True, method=4)
    return written.getvalue()
