"""Section 1: dot products, cosines, and which axis is compared."""

from typing import Any

from utils.checks.check import Check
from utils.checks.engine.probe import ON_GPU, Probe
from utils.common.messages import N_
from utils.seq2seq.check.inputs import moved

dot_similarity = Check(
    "dot_similarity",
    title="Dot product of all pairs",
    sizes={"N": 5, "M": 3, "D": 7},
    hints=(
        "One matrix product computes all pairs at once: which of the two must be transposed?",
        "(N, D) times (D, M) is (N, M).",
        "`b.T` is (D, M), and `@` is the matrix product.",
    ),
)


@dot_similarity.test("the dot product of every row of a with every row of b")
def dots(probe: Probe, dot_similarity: Any) -> Any:
    N, M, D = probe["N M D"]
    return dot_similarity(probe.normal(N, D), probe.normal(M, D))


@dot_similarity.test(ON_GPU)
def dots_on_gpu(probe: Probe, dot_similarity: Any) -> Any:
    N, M, D = probe["N M D"]
    with probe.gpu():
        return probe.located(dot_similarity(probe.there(probe.normal(N, D)), probe.there(probe.normal(M, D))))


cosine_similarity = Check(
    "cosine_similarity",
    title="Cosine of all pairs",
    by_hand=("cosine_similarity", "nn.CosineSimilarity"),
    sizes={"N": 5, "M": 3, "D": 7},
    hints=(
        "Divide the dot products by the lengths of both rows, or give every row length 1 first.",
        "The length of a row is the root of the sum of its squares over the D components: one length for each row.",
        "`norm(dim=1, keepdim=True)` is (N, 1), which divides (N, D) row by row.",
    ),
)


@cosine_similarity.test("the cosine of every row of a with every row of b")
def cosines(probe: Probe, cosine_similarity: Any) -> Any:
    N, M, D = probe["N M D"]
    return cosine_similarity(probe.normal(N, D), probe.normal(M, D))


@cosine_similarity.test("the cosines of rows that are longer or shorter")
def no_lengths(probe: Probe, cosine_similarity: Any) -> Any:
    N, M, D = probe["N M D"]
    a, b = probe.normal(N, D), probe.normal(M, D)
    return cosine_similarity(5 * a, b / 3)


@cosine_similarity.test("the cosines of rows that stay unchanged")
def rows_kept(probe: Probe, cosine_similarity: Any) -> Any:
    N, M, D = probe["N M D"]
    # Results of the function serve as its inputs, because in the exam they stay in the sandbox.
    a = cosine_similarity(probe.normal(N, D), probe.normal(M, D))
    b = cosine_similarity(probe.normal(N, D), probe.normal(M, D))
    before = probe.value(a), probe.value(b)
    again = probe.value(cosine_similarity(a, b))
    return {
        N_("the first table changes; leave it as it is"): moved(before[0], probe.value(a)),
        N_("the second table changes; leave it as it is"): moved(before[1], probe.value(b)),
        N_("the cosines"): again,
    }


@cosine_similarity.test(ON_GPU)
def cosines_on_gpu(probe: Probe, cosine_similarity: Any) -> Any:
    N, M, D = probe["N M D"]
    with probe.gpu():
        return probe.located(cosine_similarity(probe.there(probe.normal(N, D)), probe.there(probe.normal(M, D))))


tastes = Check(
    "tastes",
    title="People and films",
    sizes={"N": 5, "M": 3},
    hints=(
        "`similarity` compares rows. What are the rows of `ratings`, and which table has the films as its rows?",
        "Compare the people with the people first; then the films with the films, in the transposed table.",
        "Two calls of `similarity`, the second with `ratings.T` twice.",
    ),
)


@tastes.test("people with people, then films with films")
def both_tables(probe: Probe, tastes: Any, similarity: Any) -> Any:
    N, M = probe["N M"]
    return tastes(probe.normal(N, M), similarity)


@tastes.test(ON_GPU)
def tastes_on_gpu(probe: Probe, tastes: Any, similarity: Any) -> Any:
    N, M = probe["N M"]
    with probe.gpu():
        return probe.located(tastes(probe.there(probe.normal(N, M)), similarity)[0])
