"""Measures how long a lesson's cells take, and whether long cells show a progress bar.

    python -m benchmarks.lesson_times [LESSON…] > benchmarks/lesson_times.md

Each lesson runs from top to bottom with the reference solution, in its own process, with two threads unless the lesson
sets another number. The table lists cells that take two seconds or more; cells below a heading that says "optional" are
added up separately. Wall seconds are meaningful only on an idle computer.
"""

import contextlib
import io
import json
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Iterator

import torch
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder.common.course import WORKBOOK
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson
from utils.common.optional import OPTIONAL_VARIABLE

LONG = 2.0  # a cell of so many seconds is listed, and should show a bar
BAR = re.compile(r"\d+%\|")


def cells(name: str) -> Iterator[dict]:
    """Run a lesson; yield each code cell's section, id, seconds, and whether it drew a bar."""
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    config = Config()
    config.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=config)
    section, optional = "", {2: False, 3: False}
    for cell in compose(Lesson.load(name, WORKBOOK)).cells:
        if cell.cell_type != "code":
            for marks, title in re.findall(r"^(##|###) (.*)$", cell.source, flags=re.MULTILINE):
                section = title if marks == "##" else section
                optional |= {3: False} | {len(marks): "(optional" in title}
            continue
        output = io.StringIO()
        wall, cpu = time.perf_counter(), time.process_time()
        with contextlib.redirect_stdout(output):
            shell.run_cell(cell.source).raise_error()
        yield {
            "section": section.partition(" (")[0],
            "cell": cell.metadata.get("nbgrader", {}).get("grade_id", cell.id),
            "optional": any(optional.values()),
            "wall": time.perf_counter() - wall,
            "cpu": time.process_time() - cpu,
            "bar": bool(BAR.search(output.getvalue())),
        }


def table(name: str, rows: list[dict]) -> Iterator[str]:
    """Yield the lines of a lesson's table; the rows are those of `cells`."""
    yield f"\n## {name}\n"
    yield "| section | cell | CPU-s | wall s | bar |"
    yield "| --- | --- | --- | --- | --- |"
    for row in rows:
        if max(row["wall"], row["cpu"]) >= LONG:
            section = row["section"] + (" (optional)" if row["optional"] else "")
            bar = "yes" if row["bar"] else "no"
            yield f"| {section} | `{row['cell']}` | {row['cpu']:.0f} | {row['wall']:.0f} | {bar} |"
    for optional, what in ((False, "all that is not optional"), (True, "what is optional")):
        cpu, wall = (sum(row[key] for row in rows if row["optional"] is optional) for key in ("cpu", "wall"))
        yield f"| | {what} | {cpu:.0f} | {wall:.0f} | |"


def main(names: list[str]) -> None:
    print("# How long the lessons' cells take\n")
    print(f"`python -m benchmarks.lesson_times`, two threads of {platform.machine()}, torch {torch.__version__}.")
    for name in names:
        command = [sys.executable, "-m", "benchmarks.lesson_times", "--cells", name]
        environment = os.environ | {"OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2", OPTIONAL_VARIABLE: "1"}
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        print("\n".join(table(name, json.loads(done.stdout.splitlines()[-1]))), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--cells"]:
        print(json.dumps(list(cells(sys.argv[2]))))
    else:
        main(sys.argv[1:] or list(WORKBOOK.lessons))
