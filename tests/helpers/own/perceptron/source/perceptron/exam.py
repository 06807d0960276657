"""The exams of the lesson on the perceptron."""

from utils.perceptron import check

from autograder.exams.exam import Exam

perceptron = Exam.of(check.perceptron, sizes={"N": 307, "D": 5})
epoch = Exam.of(check.epoch, sizes={"N": 17, "D": 3})
