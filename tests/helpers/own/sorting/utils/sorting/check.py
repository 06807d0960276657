"""The public checks of the lesson on sorting."""

from utils.checks.check import Check

merge = Check("merge", title="Two sorted lists become one", sizes={"N": 7, "M": 9})
merge_sort = Check("merge_sort", title="Merge sort", sizes={"N": 13})


def pairs(probe, number, start=0):
    return [(key, start + place) for place, key in enumerate(probe.integers(0, 5, number).tolist())]


@merge.test("all items, in order")
def order(probe, merge):
    N, M = probe["N M"]
    a, b = sorted(pairs(probe, N)), sorted(pairs(probe, M, 100))
    return merge(a, b)


@merge.test("nothing on one side", weight=0.5)
def nothing(probe, merge):
    return [merge([], [(1, 2)]), merge([(1, 2)], [])]


@merge_sort.test("sorted, and equal items as before")
def stable(probe, merge_sort):
    return merge_sort(pairs(probe, probe["N"]))
