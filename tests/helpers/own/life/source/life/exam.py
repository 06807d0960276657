"""The exams of the lesson on the game of life."""

from utils.life import check

from autograder.exams.exam import Exam

neighbours = Exam.of(check.neighbours, sizes={"H": 5, "W": 7})
generation = Exam.of(check.generation)


@generation.test("three generations")
def three(probe, generation):
    world = check.world(probe)
    for _ in range(3):
        world = generation(world)
    return world
