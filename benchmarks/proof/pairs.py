"""Two mistakes at once: many wrong answers have two mistakes, and a name must still be true.

`python -m benchmarks.proof pairs` puts each two catalogued mistakes of a cell into one answer, if their substitutions
do not overlap. Every pair must lose points, and exam and check may name no mistake but these two.
"""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.console import Console

from autograder import mistakes
from autograder.exams import reference
from autograder.lesson.text import TEST_PREFIX, Lesson
from autograder.mistakes import Mistake
from benchmarks.proof.in_process import counted, exam_verdicts, mistakes_named, names_with, print_counts, quiet

# At most so many pairs of a cell are tried, drawn with this seed; in all lessons together more than 2,000.
MOST_OF_A_CELL = 250
SEED = 7
# The largest share of pairs for which a third mistake may be named.
MOST_FALSE = 0.01
# Pairs of mistakes that cancel out, so that the combined answer is correct.
CANCEL_OUT = (
    frozenset({"three_convolutions", "five_convolutions"}),
    frozenset({"attention_after_first", "attention_after_third"}),
    frozenset({"greedy_without_eos", "greedy_one_more"}),
    frozenset({"keys_times_queries", "query_key_exchanged"}),
    frozenset({"rotate_exponent_doubled", "rotate_exponent_halved"}),
)
# Pairs of mistakes that together are a third mistake, in all tests or in some, where the third one's name is then true.
ADD_UP = {
    frozenset({"summary_halves_exchanged", "summary_wrong_halves"}): "summary_ends_exchanged",
    frozenset({"summary_ends_exchanged", "summary_halves_exchanged"}): "summary_wrong_halves",
    frozenset({"teacher_one_ahead", "teacher_starts_with_target"}): "teacher_one_ahead_from_the_start",
    frozenset({"greedy_last_weights", "greedy_none_inverted"}): "greedy_no_weights",
    frozenset({"cosine_one_length", "cosine_other_length"}): "cosine_not_divided",
    frozenset({"summary_backward_at_last", "summary_first_word"}): "summary_ends_exchanged",
    # `torch.tensor(scores)` does both: it makes a tensor on the CPU, through which no gradient flows.
    frozenset({"attend_on_the_cpu", "attend_weights_detached"}): "attend_scores_rewrapped",
    # Scores with zeros at the padding, in place of weights.
    frozenset({"attend_filled_with_small", "attend_masked_scores_as_weights"}): "attend_scores_not_weights",
    # A sigmoid makes 0 of a score of -1e9 as of -∞.
    frozenset({"attend_mask_inverted_and_finite", "attend_sigmoid"}): "attend_mask_inverted",
    frozenset({"block_first_norm_on_stream", "block_second_norm_on_stream"}): "block_norm_on_stream",
    frozenset({"decoder_asked_again", "decoder_context_not_in_cell"}): "decoder_luong_order",
    # Exchanged sets of which one holds everything: the other one's inputs are those of the other mistake.
    frozenset({"sets_swapped", "training_is_everything"}): "test_is_everything",
    frozenset({"sets_swapped", "test_is_everything"}): "training_is_everything",
    # A softmax over the wrong axis of exchanged scores is the right attention, transposed.
    frozenset({"softmax_over_queries", "query_key_exchanged"}): "attention_transposed_in_output",
    frozenset({"softmax_over_queries", "attention_transposed_in_output"}): "query_key_exchanged",
    frozenset({"attention_transposed_in_output", "query_key_exchanged"}): "softmax_over_queries",
    # Each scene's facts name at least one thing. So an answer that looks for malformed captions among the facts instead
    # of the claims finds none, and counts a caption without any claim as true, or, with another mistake, as false.
    frozenset({"truth_of_nothing", "truth_no_malformed"}): "truth_malformed_of_scene",
    frozenset({"truth_silence_is_wrong", "truth_malformed_of_scene"}): "truth_no_malformed",
    frozenset({"truth_any_claim", "truth_malformed_of_scene"}): "truth_no_malformed",
    frozenset({"truth_share_of_claims", "truth_malformed_of_scene"}): "truth_no_malformed",
    frozenset({"truth_nothing_false", "truth_malformed_of_scene"}): "truth_no_malformed",
    # A caption that leaves out nothing and is right in all places is true, all others are false.
    frozenset({"truth_malformed_at_once", "truth_no_malformed"}): "truth_silence_is_wrong",
    frozenset({"nats_own_letter", "nats_scores_late"}): "nats_shifted_back",
    frozenset({"block_attention_replaces", "block_feed_forward_replaces"}): "block_no_sums",
    frozenset({"block_no_first_norm", "block_no_second_norm"}): "block_no_norms",
    frozenset({"rotate_not_interleaved", "rotate_halves_interleaved"}): "rotate_halves",
    frozenset({"attention_keys_not_turned", "attention_queries_not_turned"}): "attention_not_turned",
    frozenset({"gpt_last_block_only", "gpt_same_block"}): "gpt_first_block_only",
    frozenset({"step_queries_no_offset", "step_keys_no_offset"}): "step_no_offset",
    # With the new places first, a mask for S = T shows them one another alone.
    frozenset({"step_new_before_old", "step_square_mask"}): "step_cache_unused",
    # The last places of a cache that begins with the new ones are those that it had before.
    frozenset({"step_cache_of_new_only", "step_new_before_old"}): "step_cache_not_grown",
    # Probabilities over a temperature, divided by their sum: the temperature makes no difference where nothing is cut.
    frozenset({"nucleus_temperature_after_softmax", "nucleus_one_too_many"}): "nucleus_no_temperature",
    frozenset({"nucleus_temperature_after_softmax", "nucleus_ascending"}): "nucleus_no_temperature",
    frozenset({"nucleus_temperature_after_softmax", "nucleus_not_sorted"}): "nucleus_no_temperature",
    frozenset({"nucleus_temperature_after_softmax", "nucleus_ignored"}): "nucleus_no_temperature",
}


@dataclass(frozen=True)
class MistakePair:
    """Two mistakes of one cell, and the code of a student who makes both."""

    lesson: Lesson
    one: Mistake
    other: Mistake
    code: str

    @property
    def gap(self) -> str:
        return f"{self.lesson.name}/{self.one.cell}"


@dataclass
class PairVerdict:
    """The result of a pair: whether it lost points, and the mistakes that exam and check name."""

    pair: MistakePair
    lost: bool = False
    exam: set[str] = field(default_factory=set)
    check: set[str] = field(default_factory=set)

    def false(self, named: set[str]) -> set[str]:
        """Return the names that are true of neither mistake."""
        lesson, both = self.pair.lesson, {self.pair.one.id, self.pair.other.id}
        true = both | ({ADD_UP[frozenset(both)]} if frozenset(both) in ADD_UP else set())
        return named - frozenset().union(*(mistakes.family(lesson, mistake) for mistake in true))

    def true(self, named: set[str]) -> int:
        """Return of how many of the two mistakes a name is true; that of a third which both add up to is of both."""
        lesson, both = self.pair.lesson, (self.pair.one.id, self.pair.other.id)
        third = ADD_UP.get(frozenset(both))
        if third and named & mistakes.family(lesson, third):
            return 2
        return sum(bool(named & mistakes.family(lesson, mistake)) for mistake in both)


def pairs(lesson: Lesson, most: int = MOST_OF_A_CELL) -> Iterator[MistakePair]:
    """Yield pairs of a lesson's mistakes that can be combined, at most `most` of each cell."""
    for cell in lesson.solutions:
        both = list(itertools.combinations([m for m in mistakes.load(lesson).values() if m.cell == cell], 2))
        random.Random(f"{SEED}/{lesson.name}/{cell}").shuffle(both)
        found = ((one, other, mistakes.code_of_both(lesson, one, other)) for one, other in both)
        combined = (MistakePair(lesson, one, other, code) for one, other, code in found if code is not None)
        yield from itertools.islice(combined, most)


def examine_pair(pair: MistakePair, seed: int = 0) -> PairVerdict:
    """Examine a pair in this process, by the exam and by the public check of its cell."""
    found, lesson = PairVerdict(pair), pair.lesson
    questions = {pair.one.cell, *(g.removeprefix(TEST_PREFIX) for m in (pair.one, pair.other) for g in m.loses)}
    with quiet():
        try:
            names = names_with(lesson, pair.code, f"{pair.one.cell}:{pair.one.id}+{pair.other.id}")
        except Exception:
            found.lost = True
            return found
        for question in questions & set(lesson.tests):
            students = reference.exam_call(lesson, question, names)
            verdicts = exam_verdicts(lesson, question, students, seed)
            found.lost |= not all(verdict.passed for verdict in verdicts)
            found.exam |= mistakes_named(verdicts)
            found.check |= mistakes_named(reference.checks_of(lesson)[question].verdicts(students))
    return found


# Columns of the table: pairs of a cell, and how many lost no points, got a true name, two, a false one.
COUNTED = ("pairs", "lost nothing", "true", "both", "false", "true by check", "both by check", "false by check")


def _counts(one: PairVerdict) -> tuple[int, ...]:
    told = [(one.true(named), bool(one.false(named))) for named in (one.exam, one.check)]
    return 1, not one.lost, *(number for true, false in told for number in (true > 0, true == 2, false))


def good(found: list[PairVerdict]) -> bool:
    """Return whether every pair lost points or cancels out, and at most `MOST_FALSE` of all were named falsely."""
    wrong = sum(bool(one.false(one.exam) or one.false(one.check)) for one in found)
    return wrong <= MOST_FALSE * len(found) and all(one.lost or _cancels(one.pair) for one in found)


def _cancels(pair: MistakePair) -> bool:
    return frozenset({pair.one.id, pair.other.id}) in CANCEL_OUT


def print_pairs(found: list[PairVerdict]) -> None:
    """Print the table, and each pair that was named falsely or lost nothing."""
    console = Console(soft_wrap=True, markup=False, highlight=False)
    print_counts(console, COUNTED, counted(COUNTED, ((one.pair.gap, _counts(one)) for one in found)))
    for one in found:
        both = f"{one.pair.gap}: {one.pair.one.id} + {one.pair.other.id}"
        if false := sorted(one.false(one.exam) | one.false(one.check)):
            console.print(f"{both}: named {', '.join(false)}")
        if not one.lost:
            reason = "cancel out" if _cancels(one.pair) else "lost nothing"
            console.print(f"{both}: {reason}")
