"""The exams of the lesson on notes."""

from utils.notes import check

from autograder.exams.exam import Exam

note = Exam.of(check.note)
major = Exam.of(check.major)


@note.test("an octave above", weight=0.5)
def octave(probe, Note):
    return Note(-3).above(12).frequency


@note.test("notes below")
def below(probe, Note):
    return [Note(steps).frequency for steps in range(-11, 0, 5)]
