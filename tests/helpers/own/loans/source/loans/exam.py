"""The exam of the lesson on loans."""

from utils.loans import check

from autograder.exams.exam import Exam

schedule = Exam.of(check.schedule)


@schedule.test("the number of months")
def months(probe, schedule):
    return len(probe.value(schedule(1000.0, 0.02, 55.0)))
