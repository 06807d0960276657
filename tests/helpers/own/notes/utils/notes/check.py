"""The public checks of the lesson on notes."""

from utils.checks.check import Check

note = Check("note", title="A note", sizes={"N": 5}, lacks={"frequency": "your note has no `frequency`"})
major = Check("major", title="A major chord", sizes={"N": 5})


@note.test("frequencies")
def frequencies(probe, Note):
    return [Note(steps).frequency for steps in probe.integers(1, 20, probe["N"]).tolist()]


@note.test("a note above another")
def above(probe, Note):
    return Note(2).above(3).steps


@major.test("three frequencies")
def three(probe, major, Note):
    return probe.several(major(Note(3)), 3)
