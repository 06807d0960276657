"""The exams of the lesson on byte pairs."""

from utils.bytes import check

from autograder.exams.exam import Exam

pair_counts = Exam.of(check.pair_counts)
merged = Exam.of(check.merged, weights={"occurrences": 2})


@pair_counts.test("the counts add up to all neighbours")
def total(probe, pair_counts):
    return sum(probe.value(pair_counts(check.words(probe, 11))).values())


@merged.test("the parts give the word again")
def joined(probe, merged):
    return "".join(probe.value(merged(check.words(probe)[0], "ba")))
