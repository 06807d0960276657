"""The guards that hold promises: each is in its module, and each one's test is named by a promise."""

from benchmarks.guards import promises
from benchmarks.guards.rooms import ROOT


def test_each_guard_is_in_its_module_once_and_its_test_holds_a_promise():
    tests = {test for promise in promises.promises() for test in promise.tests}
    guards = promises.named()
    assert len(guards) >= 80
    # A row may promise a test with all its parameters, and a guard be seen with one of them.
    assert [guard.test for guard in guards if not {guard.test, guard.test.partition("[")[0]} & tests] == []
    found = {guard: (ROOT / guard.module).read_text(encoding="utf-8").count(guard.text) for guard in guards}
    assert {guard: count for guard, count in found.items() if count != 1} == {}


def test_a_module_without_a_guard_can_still_be_read():
    for guard in promises.named():
        source = (ROOT / guard.module).read_text(encoding="utf-8")
        compile(source.replace(guard.text, guard.instead), guard.module, "exec")
