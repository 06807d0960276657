"""Round trips: what editors do to a notebook between the student and the grader costs no mark, no answer and no flag.

A trip (`editors.py`) takes a handed-in notebook, with the student's own cells and essays, and does to it what a tool
does. It must earn what the untouched notebook earns, code and essays; no essay that was written may count as empty.
"""

import ast
import json
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rich.console import Console
from rich.table import Table

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.common.nodes import as_node, grade_id
from autograder.examine.examiner import examine
from autograder.examine.suspicion import suspicions
from autograder.examine.work import Work
from autograder.intake.notebook import Taken, take_in_bytes
from autograder.intake.prose import letters
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson
from autograder.lesson.translation import LANGUAGES, TEXT_STUB, message, translate_notebook
from autograder.sandbox.limits import Limits
from autograder.sandbox.parent import Sandbox
from benchmarks.proof.editors import EDITORS, HABITS, cell_of

# What students write, beside the model answers; the picture is one dot.
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
TEXTS = (
    "17, because 1 + 4 · 4.",
    "The rows of a triangle look at both triangles.\n\nThe rows of a rectangle look at both rectangles.",
    "(a) Yes.\n(b) No: it sees its neighbours only.\n(c) Because the heights would be lost.",
    "- First, the mask.\n- Then the softmax, over the keys:\n\n$$\\mathrm{softmax}(QK^\\top / \\sqrt d)$$",
    "Parce que chaque tête a sa propre question, et sa propre réponse.",
    "因为每个头看的东西不一样，所以合起来看得更多。",
    f"See the picture:\n\n![a dot](data:image/png;base64,{DOT})",
    f"![](data:image/png;base64,{DOT})",
)
OWN_CODE = (
    "x = torch.arange(6)\nprint(x.sum())",
    "# a try\nfor i in range(3):\n    print(i)",
    "import math\nmath.sqrt(2)",
)


# ---- notebooks and marks --------------------------------------------------------------------------------


@dataclass(frozen=True)
class HandedIn:
    """A notebook as a student saved it, and the essays in it."""

    notebook: dict[str, Any]
    essays: dict[str, str]  # "" for one that was left empty


def handed_in(lesson: Lesson, seed: int) -> HandedIn:
    """Return a student's notebook: right, wrong and empty gaps, essays, own cells, in one of the languages."""
    rng = random.Random(f"{lesson.name}/{seed}")
    wrong = rng.sample(list(mistakes.load(lesson).values()), 2)
    cells = {mistake.cell: mistakes.code_of(lesson, mistake) for mistake in wrong if rng.random() < 0.5}
    untouched = {cell.id: cell.source for cell in compose(lesson, blank=True).cells}
    cells |= {name: untouched[name] for name in lesson.solutions if rng.random() < 0.05}
    models = {name: cell.model_answer.partition("*Points.*")[0].strip() for name, cell in lesson.essays.items()}
    essays = {n: rng.choice(("", models[n], *TEXTS)) if rng.random() < 0.9 else "" for n in models}
    language = LANGUAGES[seed % len(LANGUAGES)]
    stub = message(TEXT_STUB, language)
    notebook = translate_notebook(
        compose(lesson, cells | {n: text or stub for n, text in essays.items()}), language, lesson
    )
    for cell in notebook.cells:
        if (name := grade_id(cell)) in essays:
            cell.source = essays[name] or stub
    data = json.loads(json.dumps(notebook))
    for _ in range(rng.randrange(4)):
        tests = [n for n, cell in enumerate(data["cells"]) if grade_id(as_node(cell)).startswith("test_")]
        data["cells"].insert(
            rng.choice(tests) + 1, cell_of("code", rng.choice(OWN_CODE)) | {"id": f"{rng.getrandbits(32):08x}"}
        )
    return HandedIn(data, essays)


@dataclass
class TripCounts:
    """What a kind of trip did to the notebooks of a lesson."""

    notebooks: int = 0
    examined: int = 0  # those whose code came back in another form, so that they were examined
    complaints: list[str] = field(default_factory=list)


class Kept(dict[str, Any]):
    """What was examined already, as the grader's store keeps it."""

    def put(self, key: str, entry: Any) -> None:
        self[key] = entry


def marks_of(lesson: Lesson, taken: Taken, sandbox: Sandbox, kept: Kept) -> tuple[dict[str, float], list[str]]:
    """Return the points and the flags of a notebook."""
    result = examine(taken.notebook, lesson, sandbox, kept)
    return {one.id: one.points or 0.0 for one in result.questions if one.kind == "auto"}, result.flags


# So many notebooks are examined whenever their code has changed; the others where more than its layout has.
EXAMINED = 4
# Trips after which an answer may be shown in another question's cell.
ELSEWHERE = ("all answers in one cell",)


class Untouched:
    """A notebook as it was handed in, taken in; its marks are computed once, when they are needed."""

    def __init__(self, lesson: Lesson, seed: int, sandbox: Sandbox):
        self.lesson, self.sandbox, self.kept = lesson, sandbox, Kept()
        self.always = seed < EXAMINED
        self.student = handed_in(lesson, seed)
        self.taken = take_in_bytes(json.dumps(self.student.notebook).encode(), lesson)
        self.work = Work(self.taken.notebook, lesson, Limits())

    @cached_property
    def points(self) -> dict[str, float]:
        return marks_of(self.lesson, self.taken, self.sandbox, self.kept)[0]

    def complaints(self, changed: dict[str, Any], trip: str = "") -> tuple[bool, list[str]]:
        """Return whether a changed notebook had to be examined, and what the trip cost: marks, essays, flags."""
        after = take_in_bytes(json.dumps(changed).encode(), self.lesson)
        if after.refused:
            return False, [f"refused: {after.refused.render()}"]
        said = [] if after.language == self.taken.language else [f"its language became {after.language}"]
        before, now = ({grade_id(c): c.source for c in one.notebook.cells} for one in (self.taken, after))
        for name, text in self.student.essays.items():
            shown = "\n".join(now[essay] for essay in self.student.essays) if trip in ELSEWHERE else now[name]
            if now[name] == TEXT_STUB if text else trip not in ELSEWHERE and words(now[name]) != words(before[name]):
                said.append(f"{name} was {before[name][:100]!r} and is {now[name][:200]!r}")
            elif letters(text.partition("data:")[0]) not in letters(shown):
                said.append(f"{name} lacks text: {now[name][:200]!r}")
            elif "data:image" in text and DOT not in json.dumps(after.notebook):
                said.append(f"{name} has lost its picture")
        work = Work(after.notebook, self.lesson, Limits())
        # The same code earns the same marks.
        if work.questions == self.work.questions or (not self.always and _code(work) == _code(self.work)):
            return False, said + self._flags(work)
        points, flags = marks_of(self.lesson, after, self.sandbox, self.kept)
        said += [
            f"{name}: {self.points[name]:g} → {points[name]:g}" for name in points if points[name] != self.points[name]
        ]
        return True, said + flags

    def _flags(self, work: Work) -> list[str]:
        """Return the flags of the student's cells that are not as they were."""
        known = {cell.source for cell in (*self.work.cells, *self.work.texts)}
        cells = [cell for cell in work.cells if not work.is_ours(cell) and cell.source not in known]
        return suspicions(cells, [cell for cell in work.texts if cell.source not in known])


def words(answer: str) -> str:
    """Return an answer's letters, without pictures: an editor changes spaces, and how a picture is kept."""
    return letters(re.sub(r"!\[[^]]*\]\([^)]*\)", "", answer))


def _code(work: Work) -> list[tuple[str, str]]:
    """Return the statements of each gap, in order, and those of the student's own cells, which depend on no other.

    What only asks a check, such as for a hint, is left out: it defines nothing.
    """
    found = []
    for cell in (cell for cell in work.cells if not work.is_ours(cell)):
        name = grade_id(cell)
        try:
            parts = [ast.dump(statement) for statement in ast.parse(cell.source).body]
        except SyntaxError:
            parts = [cell.source]
        found += [(name, part) for part in parts if not part.startswith("Expr(value=Call(") or "id='check'" not in part]
    return sorted(found, key=lambda part: part if not part[0] else (part[0], ""))


def travel(lesson: Lesson, count: int, sandbox: Sandbox, only: str = "") -> Iterator[tuple[str, TripCounts]]:
    """Send `count` notebooks of a lesson through each kind of editor, and a fifth of them through each habit."""
    students = [Untouched(lesson, seed, sandbox) for seed in range(count)]
    for name, change in (EDITORS | HABITS).items():
        if only not in name:
            continue
        sent = students if name in EDITORS else students[: max(1, count // 5)]
        counts = TripCounts(len(sent))
        for seed, student in enumerate(sent):
            changed = json.loads(json.dumps(student.student.notebook))
            change(changed, random.Random(seed))
            examined, said = student.complaints(changed, name)
            counts.examined += examined
            counts.complaints += [f"notebook {seed}: {sentence}" for sentence in said]
        yield name, counts


def print_trips(lessons: list[Lesson], count: int, only: str = "") -> bool:
    """Print the table of trips; return whether none cost anything."""
    console = Console(soft_wrap=True, width=None if sys.stdout.isatty() else 120, markup=False, highlight=False)
    good = True
    with Sandbox(WORKBOOK) as sandbox:
        for lesson in lessons:
            table = Table("trip", "notebooks", "examined again", "cost something", title=lesson.name)
            said: list[str] = []
            for name, counts in travel(lesson, count, sandbox, only):
                print(name, counts, file=sys.stderr, flush=True)
                table.add_row(name, str(counts.notebooks), str(counts.examined), str(len(counts.complaints)))
                said += [f"{name}, {sentence}" for sentence in counts.complaints]
            console.print(table)
            for sentence in said:
                console.print(sentence)
            good &= not said
    return good
