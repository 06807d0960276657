"""What the tool takes out of a module, by kind; nothing that only readers and type checkers see."""

import random
from textwrap import dedent

import pytest

from benchmarks.guards import trials
from benchmarks.guards.bugs import bugs_of
from benchmarks.guards.rooms import ROOT, modules_of
from benchmarks.guards.trials import counted, drawn, equivalent


def bugs(source: str) -> list[str]:
    return [f"{bug.kind}: {bug.difference}" for bug in bugs_of("m.py", dedent(source))]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("if a:\n    raise B\n", ["guard: a => (a) and False"]),
        ("if a:\n    b = 1\nelif c:\n    d = 2\n", ["branch: a => (a) and False", "branch: c => (c) and False"]),
        (
            "x = a and (b or c)\n",
            [
                "and: a and (b or c) => ((a))",
                "and: a and (b or c) => ((b or c))",
                "or: b or c => ((b))",
                "or: b or c => ((c))",
            ],
        ),
        ("x = (y := f()) and a\n", ["and: (y := f()) and a => ((y := f()))"]),
        ("x = not a\n", ["not: not a => bool(a)"]),
        ("x = a < b <= c\n", ["boundary: a < b <= c => a < b < c", "boundary: a < b <= c => a <= b <= c"]),
        ("x = a == b\n", []),
        ("x = {'k': 1, **b}\n", ["key: 'k': 1 => **{}", "key: b => {}"]),
        ("x = {'k': N_('a')}\n", []),
        ("x = a + b\n", ["term: a + b => (a)", "term: a + b => (b)"]),
        ("x = a - b\n", ["term: a - b => (a)"]),
        ("x = a * b\n", []),
        ("x = [y for y in z if y]\n", ["filter: y => (y) or True"]),
        ("x = a if b else c\n", ["choice: a if b else c => (a)", "choice: a if b else c => (c)"]),
        ("x = sorted(a, key=f)\n", ["order: sorted(a, key=f) => list(a)", "order: sorted(a, key=f) => sorted(a)"]),
        ("x = min(a, b)\n", ["bound: min(a, b) => (a)", "bound: min(a, b) => (b)"]),
        ("x = max(a, key=f)\n", ["order: max(a, key=f) => max(a)"]),
        ("x = round(a, 2)\n", ["round: round(a, 2) => (a)"]),
        ("x = a[:3]\n", ["slice: a[:3] => a"]),
        (
            "x = a.get(b, 0) or a.get(b, None)\n",
            [
                "default: a.get(b, 0) => a.get(b)",
                "or: a.get(b, 0) or a.get(b, None) => ((a.get(b, 0)))",
                "or: a.get(b, 0) or a.get(b, None) => ((a.get(b, None)))",
            ],
        ),
        ("x = next(a, None)\n", ["default: next(a, None) => next(a)"]),
        ("x = a.strip()\n", ["form: a.strip() => a"]),
        ("f()\nx += 1\n", ["step: f() => pass", "step: x += 1 => pass"]),
        (
            "try:\n    f()\nexcept (A, B):\n    x = 1\n",
            [
                "step: f() => pass",
                "except: (A, B) => (A, )",
                "except: (A, B) => (B, )",
            ],
        ),
        ("try:\n    f()\nexcept A:\n    raise\n", ["step: f() => pass", "except: A => ()"]),
        ("import a\nfrom b import c\n@d(1 + 2)\ndef f(x: int | str = 1) -> int | str:\n    '''A + B.'''\n", []),
        ("if TYPE_CHECKING:\n    import a\nx: int | None = 1\ny = f'{a + b}'\n", []),
    ],
)
def test_each_kind_is_taken_out_alone(source, found):
    assert sorted(bugs(source)) == sorted(found)


def test_a_bug_is_put_where_it_belongs_though_signs_take_several_bytes():
    source = "é = 'é'; x = '李' + y  # ∀\n"
    (first, second) = bugs_of("m.py", source)
    texts = {bug.put_into(source.encode()).decode() for bug in (first, second)}
    assert texts == {"é = 'é'; x = ('李')  # ∀\n", "é = 'é'; x = (y)  # ∀\n"}


def test_a_bug_knows_its_statements_head_and_whether_a_function_has_it():
    source = "def f():\n    if (a and\n            b):\n        return 1\nx = a or b\n"
    found = {(bug.kind, bug.first, bug.last, bug.in_function) for bug in bugs_of("m.py", source)}
    assert found == {("guard", 2, 3, True), ("and", 2, 3, True), ("or", 5, 5, False)}


def test_the_draw_is_the_seeds_and_leaves_out_what_is_equivalent(monkeypatch):
    first = drawn("essays", 5, 7)
    assert first == drawn("essays", 5, 7) != drawn("essays", 6, 7) and len(first) == 7
    assert first == sorted(first, key=counted("essays").index)
    one = random.Random(0).choice(first)
    monkeypatch.setattr(trials, "equivalent", lambda: {(one.module, one.difference): "because"})
    assert one not in counted("essays") and one not in drawn("essays", 5, 10_000)


def test_every_bug_that_is_called_equivalent_is_still_there_and_has_a_reason():
    for (module, difference), reason in equivalent().items():
        source = (ROOT / module).read_text(encoding="utf-8")
        assert difference in {bug.difference for bug in bugs_of(module, source)}, (module, difference)
        assert reason.endswith(".") and len(reason) > 20


def test_a_room_is_a_package_by_its_short_or_whole_name():
    assert modules_of("essays") == modules_of("autograder/essays") and "autograder/essays/marks.py" in modules_of(
        "essays"
    )
    assert "utils/checks/engine/kinds.py" in modules_of("utils/checks/engine")
