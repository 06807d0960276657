"""What careful students write in a cell of their own costs no mark and raises no flag, in any lesson.

`make verdicts` examines each habit alone, and all together, in every lesson. Here all are examined together in one
lesson, and one of each `EVERY` alone, with the lessons in turn.
"""

import pytest

from autograder.common.course import WORKBOOK
from autograder.examine.examiner import examine
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson
from autograder.sandbox.limits import Limits
from benchmarks.proof.habits import HABITS, TOGETHER, costs

LESSONS = list(WORKBOOK.lessons)
EVERY = 8
ALONE = [(habit, LESSONS[number % len(LESSONS)]) for number, habit in enumerate(list(HABITS)[::EVERY])]


@pytest.fixture(scope="module")
def limits() -> Limits:
    return Limits()


@pytest.mark.parametrize(("habit", "name"), ALONE)
def test_a_harmless_habit_costs_no_mark_and_raises_no_flag(habit, name, sandbox):
    assert costs(Lesson.load(name, WORKBOOK), (habit,), sandbox) == []


def test_all_harmless_habits_together_cost_no_mark(sandbox):
    assert set(TOGETHER) == set(HABITS)
    assert costs(Lesson.load("captioning", WORKBOOK), TOGETHER, sandbox) == []


def test_what_a_habit_costs_is_noticed(sandbox, monkeypatch):
    monkeypatch.setitem(HABITS, "a bad one", "import torch\ntorch.matmul = torch.softmax = None\nraise ValueError")
    found = " ".join(costs(Lesson.load("attention", WORKBOOK), ("a bad one",), sandbox))
    assert "a bad one raises ValueError" in found
    assert "test_self_attention lost" in found and "overwrites a library's function" in found


def forwards(name: str) -> bool:
    """Whether a lesson has a gap in a module's `forward`."""
    return any("    def forward(" in cell.code for cell in Lesson.load(name, WORKBOOK).solutions.values())


@pytest.mark.parametrize("name", list(filter(forwards, LESSONS)))
def test_compiled_forwards_are_right_answers(name, sandbox):
    lesson = Lesson.load(name, WORKBOOK)
    compiled = {
        gap: "import torch\n" + cell.code.replace("    def forward(", "    @torch.compile\n    def forward(")
        for gap, cell in lesson.solutions.items()
        if "    def forward(" in cell.code
    }
    assert compiled
    result = examine(compose(lesson, compiled), lesson, sandbox)
    graded = [one for one in result.questions if one.kind == "auto"]
    lost = {one.id for one in graded if one.points != one.max_points}
    # The answers to questions on the student's own code are those for the reference's code, not for the compiled one.
    assert lost <= {"test_own_code"} and result.flags == []
