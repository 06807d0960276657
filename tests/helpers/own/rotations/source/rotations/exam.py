"""The exams of the lesson on rotations."""

from utils.rotations import check

from autograder.exams.exam import Exam

rotation = Exam.of(check.rotation)
turned = Exam.of(check.turned, sizes={"N": 11})


@rotation.test("two turns are one turn by both angles")
def composed(probe, rotation):
    return probe.value(rotation(0.4)) @ probe.value(rotation(1.1))
