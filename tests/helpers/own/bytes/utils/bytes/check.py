"""The public checks of the lesson on byte pairs."""

from utils.checks.check import Check

pair_counts = Check("pair_counts", title="Pairs of letters", sizes={"N": 5, "L": 7}, hints=("Use zip.",))
merged = Check("merged", title="One merge", sizes={"N": 5, "L": 7})


def words(probe, number=None):
    letters = probe.integers(0, 3, number or probe["N"], probe["L"]).tolist()
    return ["".join("abc"[letter] for letter in row) for row in letters]


@pair_counts.test("how often each pair occurs")
def all_pairs(probe, pair_counts):
    return pair_counts(words(probe))


@pair_counts.test("the number of different pairs")
def different(probe, pair_counts):
    return len(probe.value(pair_counts(words(probe))))


@merged.test("each occurrence is one part")
def occurrences(probe, merged):
    return [merged(word, "ab") for word in words(probe)]
