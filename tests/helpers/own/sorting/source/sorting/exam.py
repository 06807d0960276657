"""The exams of the lesson on sorting."""

from utils.sorting import check

from autograder.exams.exam import Exam

merge = Exam.of(check.merge, sizes={"N": 11, "M": 5})
merge_sort = Exam.of(check.merge_sort)


@merge_sort.test("one item, and none")
def small(probe, merge_sort):
    return [merge_sort([(3, 0)]), merge_sort([])]
