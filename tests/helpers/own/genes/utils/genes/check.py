"""The public checks of the lesson on genes."""

from utils.checks.check import Check

reverse_complement = Check("reverse_complement", title="The other strand", sizes={"N": 17})
protein = Check("protein", title="From codons to amino acids", sizes={"N": 19})
differences = Check("differences", title="Where two strands differ", sizes={"N": 29})


def strand(probe, number):
    return "".join("ACGT"[letter] for letter in probe.integers(0, 4, number).tolist())


@reverse_complement.test("a strand")
def a_strand(probe, reverse_complement):
    return reverse_complement(strand(probe, probe["N"]))


@protein.test("a strand with a stop")
def with_stop(probe, protein):
    return protein("ATGGCAGCTTAA" + strand(probe, probe["N"]))


@differences.test("the places")
def places(probe, differences):
    return differences(strand(probe, probe["N"]), strand(probe, probe["N"]))
