"""The exam of the lesson on springs."""

from utils.springs import check

from autograder.exams.exam import Exam

spring = Exam.of(check.spring)


@spring.test("three steps", rtol=1e-3)
def three(probe, Spring):
    x, v, spring = probe.normal(5), probe.normal(5), Spring(0.7)
    for _ in range(3):
        x, v = probe.several(spring.step(x, v, 0.2), 2)
    return x
