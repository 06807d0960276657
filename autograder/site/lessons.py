"""A lesson as a page: its prose and code in its order, gaps as gaps, and below each cell what the reference shows.

The page is made of the released notebook, in which solutions, model answers and hidden tests never were; from the run
with the reference come outputs alone. Sphinx reads it as MyST, which is markdown with directives.
"""

import base64
import html
import io
import re
from collections.abc import Iterator

from nbformat import NotebookNode
from PIL import Image

from autograder.common.nodes import grade_id
from autograder.lesson.release import release_notebook
from autograder.lesson.setup import SETUP_NAME, STANDING_NAME
from autograder.lesson.text import Lesson
from autograder.lesson.translation import message, translate_notebook
from autograder.site.outputs import Outputs
from utils.common.messages import N_

# Of use in a notebook that runs: what finds the modules, and the table of what is done.
LEFT_OUT = (SETUP_NAME, STANDING_NAME)
TO_READ = N_(
    "This page is for reading. Figures and tables are those that come when the gaps are filled; the notebook, in which "
    "you fill them, comes from your course."
)
GAP, CHECK, ANSWER = N_("You write this"), N_("Check ({points} points)"), N_("You answer this ({points} points)")


def page(lesson: Lesson, language: str, outputs: Outputs) -> dict[str, bytes]:
    """Return a lesson's page and its pictures, by their names in the folder of lessons."""
    files: dict[str, bytes] = {}
    parts: list[str] = []
    for cell in translate_notebook(release_notebook(lesson), language).cells:
        name = grade_id(cell)
        if name in LEFT_OUT:
            continue
        parts.append(_written(cell, lesson, language))
        for number, output in enumerate(outputs.get(name, ()), 1):
            shown, picture = _shown(output, f"pictures/{language}-{lesson.name}-{name}-{number}")
            parts.append(shown)
            files |= picture
    note = f'<p class="to-read">{html.escape(message(TO_READ, language))}</p>'
    heading, _, rest = parts[0].partition("\n")
    files[f"{lesson.name}.md"] = "\n\n".join([heading, note, rest.strip(), *parts[1:], ""]).encode()
    return files


def _written(cell: NotebookNode, lesson: Lesson, language: str) -> str:
    """Return a cell as the students' notebook has it."""
    name, points = grade_id(cell), f"{cell.metadata.get('nbgrader', {}).get('points', 0):g}"
    if cell.cell_type == "markdown":
        if name not in lesson.essays:
            return str(cell.source)
        return _fenced("admonition", message(ANSWER, language).format(points=points), cell.source, ":class: gap")
    options = []
    if name in lesson.solutions:
        options = [":class: gap", f":caption: {message(GAP, language)}"]
    elif name.removeprefix("test_") in lesson.tests and name not in lesson.tests:
        options = [f":caption: {message(CHECK, language).format(points=points)}"]
    return _fenced("code-block", "python", cell.source, *options)


def _fenced(directive: str, argument: str, content: str, *options: str) -> str:
    """Return a directive, behind a fence that is longer than any in its content."""
    longest = max(map(len, re.findall("`+", content)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}{{{directive}}} {argument}".rstrip(), *options, "", content, fence])


def _shown(output: NotebookNode, place: str) -> tuple[str, dict[str, bytes]]:
    """Return what a cell has shown, and the picture's file where it is one."""
    if output.output_type == "stream":
        text = "\n".join(_last_state(output.text)) if output.name == "stdout" else ""
        return (_fenced("code-block", "text", text, ":class: output") if text else ""), {}
    data = output.data
    for kind, suffix in (("image/svg+xml", "svg"), ("image/png", "webp")):
        if kind in data:
            name = f"{place}.{suffix}"
            content = data[kind].encode() if suffix == "svg" else smaller(data[kind])
            alternative = " ".join(data.get("text/plain", "").split())
            return _fenced("image", name, "", f":alt: {alternative}", ":class: figure"), {name: content}
    if "text/html" in data:
        return _fenced("raw", "html", f'<div class="output">{data["text/html"]}</div>'), {}
    return _fenced("code-block", "text", data["text/plain"], ":class: output"), {}


def _last_state(text: str) -> Iterator[str]:
    """Yield the lines of what was printed, of a progress bar as it was at the end."""
    for line in text.rstrip().split("\n"):
        yield line.rstrip("\r").rpartition("\r")[2].rstrip()


def smaller(png: str) -> bytes:
    """Return a PNG in base64 as WebP without loss, which takes half as much."""
    written = io.BytesIO()
    with Image.open(io.BytesIO(base64.b64decode(png))) as picture:
        picture.save(written, "WEBP", lossless=True, method=4)
    return written.getvalue()
