"""The exams of the lesson on regression."""

from utils.regression import check

from autograder.exams.exam import Exam

model = Exam.of(check.model)
loss = Exam.of(check.loss, sizes={"N": 11, "D": 5})
