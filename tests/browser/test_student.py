"""A student with the bundle's zip and nothing else: unpacked, opened in JupyterLab, gaps filled, wrongly and rightly.

The server and its kernels see the installed packages, but neither this checkout nor an installed workbook (`-S` leaves
out editable installs), so that the lesson runs with the wheel that the zip brings.
"""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from autograder.common.course import WORKBOOK
from autograder.common.nodes import grade_id
from autograder.course import bundle
from autograder.examine.examiner import examine
from autograder.intake.notebook import take_in
from autograder.lesson.text import Lesson
from utils.checks.standing import TITLE
from utils.common.messages import translate
from utils.common.progress import REHEARSAL_VARIABLE

ATTENTION = Lesson.load("attention", WORKBOOK)
RIGHT = ATTENTION.solutions["update"].code
WRONG = "def update(model, optimizer, inputs, targets):\n    return 0.0\n"
FIRST = f"test_{next(iter(ATTENTION.tests))}"
# Milliseconds: a kernel loads torch in the meantime.
PATIENCE = 120_000


@pytest.fixture(scope="module")
def unpacked(browser, tmp_path_factory) -> Path:
    """The bundle's folder, as its zip unpacks."""
    folder = tmp_path_factory.mktemp("student")
    archive = folder / bundle.ARCHIVE
    archive.write_bytes(bundle.archive(bundle.contents(WORKBOOK, lessons=["attention"])))
    with zipfile.ZipFile(archive) as zipped:
        zipped.extractall(folder)
    return folder / "attention-workbook"


def setting(unpacked: Path, plugin: str, values: dict) -> None:
    """Write one of JupyterLab's settings, as its settings editor does."""
    path = unpacked.parent / "settings" / "@jupyterlab" / f"{plugin}.jupyterlab-settings"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values))


@pytest.fixture(scope="module")
def lab(unpacked) -> Iterator[str]:
    with serving(unpacked) as address:
        yield address


@contextlib.contextmanager
def serving(unpacked: Path, **variables: str) -> Iterator[str]:
    """Start JupyterLab in the bundle's folder, with these variables of the environment; yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    kernel = unpacked.parent / "jupyter" / "kernels" / "python3" / "kernel.json"
    kernel.parent.mkdir(parents=True, exist_ok=True)
    start = [sys.executable, "-S", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel.write_text(json.dumps({"argv": start, "display_name": "Python 3", "language": "python"}))
    setting(unpacked, "notebook-extension/tracker", {"windowingMode": "none"})  # all cells are there to be clicked
    setting(unpacked, "apputils-extension/notification", {"fetchNews": "false", "checkForUpdates": False})
    environment = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    environment |= {
        "PYTHONPATH": str(Path(nbformat.__file__).parents[1]),
        "JUPYTER_PATH": str(unpacked.parent / "jupyter"),
        "JUPYTER_CONFIG_DIR": str(unpacked.parent / "no-configuration"),
        "JUPYTERLAB_SETTINGS_DIR": str(unpacked.parent / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(unpacked.parent / "workspaces"),
        "IPYTHONDIR": str(unpacked.parent / "ipython"),
        "OMP_NUM_THREADS": "1",
        "TMPDIR": tempfile.gettempdir(),
        **variables,
    }
    command = [sys.executable, "-S", "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"]
    command += ["--IdentityProvider.token=", "--ServerApp.password=", "--ip=127.0.0.1"]
    address = f"http://127.0.0.1:{port}"
    record = unpacked.parent / "server.log"
    with record.open("w") as log:
        server = subprocess.Popen(command, cwd=unpacked, env=environment, stdout=log, stderr=log)
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{address}/api", timeout=5).close()
                break
            except OSError:
                assert server.poll() is None, record.read_text()
                time.sleep(0.2)
        yield address
        server.terminate()
        server.wait(timeout=30)


class Notebook:
    """A notebook that is open in JupyterLab; cells are called by their ids."""

    def __init__(self, page, path: Path):
        self.page = page
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        self.places = {cell["id"]: number for number, cell in enumerate(cells)}
        self.last = cells[-1]["id"]

    def cell(self, name: str):
        return self.page.locator(".jp-Notebook > * .jp-Cell, .jp-Notebook > .jp-Cell").nth(self.places[name])

    def write(self, name: str, code: str) -> None:
        self.cell(name).locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(code)

    def run(self, name: str):
        """Run a cell and return where its outputs are."""
        cell = self.cell(name)
        before = cell.locator(".jp-InputPrompt").inner_text()
        cell.locator(".jp-InputPrompt").click()
        self.page.keyboard.press("Control+Enter")
        self.page.wait_for_function(
            "([cell, before]) => { const now = cell.querySelector('.jp-InputPrompt').innerText;"
            " return /[0-9]/.test(now) && now !== before; }",
            arg=[cell.element_handle(), before],
            timeout=PATIENCE,
        )
        return cell.locator(".jp-Cell-outputArea")


# One language, whose letters need a font of ours, in the dark theme: browser, kernel and lesson take half a minute.
@pytest.mark.whole
@pytest.mark.parametrize("language", ["zh"])
def test_from_the_zip_to_where_you_stand(language, browser, lab, unpacked, tmp_path):
    setting(unpacked, "apputils-extension/themes", {"theme": "JupyterLab Dark"})
    page = browser.new_page(viewport={"width": 1200, "height": 1000})
    page.set_default_timeout(30_000)
    page.goto(f"{lab}/lab/workspaces/{language}/tree/{language}/attention.ipynb")
    page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=PATIENCE)
    page.get_by_text("Python 3 | Idle").wait_for(timeout=PATIENCE)  # JupyterLab forgets what is run before
    lesson = Notebook(page, unpacked / language / "attention.ipynb")

    assert "rror" not in lesson.run("setup").inner_text()
    assert "rror" not in lesson.run("imports").inner_text()
    picture = lesson.run("draw_task_1").locator("img")
    assert picture.get_attribute("lang") == language and len(picture.get_attribute("alt")) > 30
    page.screenshot(path=tmp_path / "figure.png")

    lesson.write("update", WRONG)
    lesson.run("update")
    panel = lesson.run("test_update")
    assert "✗" in panel.inner_text()
    page.screenshot(path=tmp_path / "wrong.png")
    lesson.write("update", f"{RIGHT}\nimport utils\nprint(utils.__file__)")
    # where the wheel was unpacked; what is printed may come after the cell's number
    lesson.run("update").get_by_text(f"{tempfile.gettempdir()}/").wait_for()
    panel = lesson.run("test_update")
    assert "✓" in panel.inner_text() and "✗" not in panel.inner_text()
    page.screenshot(path=tmp_path / "right.png")

    table = lesson.run(lesson.last)
    assert translate(TITLE, language) in table.inner_text()
    signs = [row.split()[0] for row in table.locator("tbody tr").all_inner_texts()]
    assert signs.count("✓") == 1 and signs.count("○") == len(ATTENTION.tests) + len(ATTENTION.essays) - 1
    table.scroll_into_view_if_needed()
    page.screenshot(path=tmp_path / "standing.png")
    page.close()


# A notebook that ends with the first question has all kinds of cells; the whole lesson takes a minute.
@pytest.mark.parametrize("last", [FIRST, pytest.param("", id="whole", marks=pytest.mark.whole)])
def test_a_lesson_is_done_by_keyboard_alone(browser, unpacked, sandbox, last):
    """From the first cell to the saved file, which earns all points; no mouse, and no press that is not a key's."""
    path = unpacked / "en" / f"by_keys_{last}.ipynb"
    notebook = nbformat.read(unpacked / "en" / "attention.ipynb", as_version=4)
    if last:
        ids = [grade_id(cell) for cell in notebook.cells]
        notebook.cells = notebook.cells[: ids.index(last) + 1]
    nbformat.write(notebook, path)
    with serving(unpacked, **{REHEARSAL_VARIABLE: "1"}) as lab:
        page = browser.new_page(viewport={"width": 1200, "height": 1000})
        page.set_default_timeout(PATIENCE)
        page.goto(f"{lab}/lab/workspaces/keys{last}/tree/en/{path.name}")
        page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        page.get_by_text("Python 3 | Idle").wait_for()
        press = page.keyboard.press
        press("Escape")
        while not page.evaluate("document.activeElement.closest('.jp-Notebook') !== null"):
            press("Tab")
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            name = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
            if name in ATTENTION.solutions or name in ATTENTION.essays:
                press("Enter")  # edit the cell
                press("ControlOrMeta+a")
                code = ATTENTION.solutions[name].code if name in ATTENTION.solutions else "An answer."
                page.keyboard.insert_text(code)
            press("Shift+Enter")  # run the cell, and go on to the next
        lesson = Notebook(page, path)
        end = lesson.cell(lesson.last)
        end.locator(".jp-InputPrompt").filter(has_text=re.compile("[0-9]")).wait_for(timeout=3 * PATIENCE)
        press("ControlOrMeta+s")
        page.wait_for_function("!document.querySelector('.jp-mod-dirty')")
        standing = end.locator(".jp-Cell-outputArea").inner_text()
        page.screenshot(path=path.with_suffix(".png"))
        page.close()
    done = 1 if last else len(ATTENTION.tests)
    assert standing.count("✓") >= done
    taken = take_in(path, ATTENTION)
    questions = examine(taken.notebook, ATTENTION, sandbox).questions
    assert sum(bool(question.points) and question.points == question.max_points for question in questions) == done
