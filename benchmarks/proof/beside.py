"""A known mistake with a slip beside it: how much is told of such an answer, where no pair is known that fits?

`python -m benchmarks.proof beside` makes one small change, drawn at random, to each catalogued mistake's answer (see
`slips.py`). Check and exam each tell the most that they can of an answer:

    mistake     the mistake is named, or a class that holds it
    slip        another mistake is named, which the slip is: proved with other inputs, as in `slips.py`, where it gives
                the results alone, or together with the mistake
    words       a kind of difference is described in words
    line        the student's own line that raises an exception is quoted; of many such answers nothing else is seen
    nothing     numbers alone
    false       a name is not true, whatever else is told
"""

import random
from collections import Counter
from collections.abc import Iterator

from rich.console import Console

from autograder import mistakes
from autograder.exams import reference
from autograder.lesson.text import Lesson
from autograder.mistakes import Mistake
from benchmarks.proof.in_process import (
    counted,
    exam_verdicts,
    mistakes_named,
    names_with,
    print_counts,
    quiet,
    ways_told,
)
from benchmarks.proof.slips import Slip, changed, false_names, lines_of_gaps
from utils.checks.engine.outcome import Verdict

# The seed of the draws.
SEED = 7
# The least share of answers of which check, and exam, tell something true.
LEAST = 0.5
# The largest share of answers of which check, or exam, give a false name.
MOST_FALSE = 0.005
TOLD = ("mistake", "slip", "words", "line", "nothing", "false")
COLUMNS = ("answers", "raise", *(f"{by}: {told}" for by in ("check", "exam") for told in TOLD))


def answers(lesson: Lesson, every: int = 1) -> Iterator[tuple[Mistake, Slip]]:
    """Yield each `every`-th mistake of a lesson with an answer that has a slip as well."""
    for mistake in list(mistakes.load(lesson).values())[::every]:
        solution = lesson.solutions[mistake.cell]
        gaps = lines_of_gaps(solution.source)
        given = {line for number, line in enumerate(solution.code.split("\n"), 1) if number not in gaps}
        code = mistakes.code_of(lesson, mistake)
        written = {number for number, line in enumerate(code.split("\n"), 1) if line not in given}
        if slips := list(changed(code, written)):
            what, slipped = random.Random(f"{SEED}/{lesson.name}/{mistake.id}").choice(slips)
            yield mistake, Slip(lesson, mistake.cell, what, slipped)


def examine(mistake: Mistake, slip: Slip) -> tuple[int, ...]:
    """Return the counts of an answer, in the order of `COLUMNS`; zeros where its cell fails."""
    with quiet():
        try:
            students = reference.exam_call(
                slip.lesson, slip.cell, names_with(slip.lesson, slip.code, f"{slip.cell}:beside")
            )
        except Exception:
            return (0,) * len(COLUMNS)
        check = reference.checks_of(slip.lesson)[slip.cell].verdicts(students)
        exam = exam_verdicts(slip.lesson, slip.cell, students, 0)
        told = [_told(mistake, slip, students, verdicts) for verdicts in (check, exam)]
    raising = all("where" in verdict.reason.values for verdict in check if verdict.reason)
    return 1, raising, *(entry[kind] for entry in told for kind in TOLD)


def _told(mistake: Mistake, slip: Slip, students: tuple[object, ...], verdicts: list[Verdict]) -> Counter[str]:
    family = mistakes.family(slip.lesson, mistake.id)
    names, ways = mistakes_named(verdicts), ways_told(verdicts)
    false = false_names(slip, students, verdicts, mistake.id) - family
    true = {
        "mistake": bool(names & family),
        "slip": bool(names - family - false),
        "words": "described" in ways,
        "line": "quoted" in ways,
    }
    most = next((kind for kind, told in true.items() if told), "nothing")
    return Counter({most: 1, "false": bool(false)})


def print_beside(lessons: list[Lesson], every: int) -> bool:
    """Print the table; return whether as much is told as should be, and as little false."""
    tried = [(mistake, slip) for lesson in lessons for mistake, slip in answers(lesson, every)]
    console = Console(soft_wrap=True, markup=False, highlight=False)
    rows = []
    for mistake, slip in tried:
        rows.append((slip.gap, examine(mistake, slip)))
        if any(count for column, count in zip(COLUMNS, rows[-1][1], strict=True) if column.endswith("false")):
            console.print(f"{slip.gap}: {mistake.id}, {slip.what}: a false name")
    table = counted(COLUMNS, rows)
    print_counts(console, COLUMNS, table)
    everything = table["all"]
    return all(
        everything[f"{by}: nothing"] <= (1 - LEAST) * everything["answers"]
        and everything[f"{by}: false"] <= MOST_FALSE * everything["answers"]
        for by in ("check", "exam")
    )
