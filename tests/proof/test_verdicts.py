"""Fair and kind: wrong answers lose the right points and are named, right ones keep all; a sample of every question.

The whole corpus is graded by `make verdicts`; its last table is recorded in `benchmarks/verdicts.md`.
"""

import itertools
import warnings

import pytest

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.examine.examiner import examine
from autograder.exams import reference
from autograder.exams.exam import exams_of
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson
from autograder.sandbox.limits import Limits
from benchmarks.proof import pairs, slips, verdicts
from benchmarks.proof.verdicts import Case, cases
from utils.checks.engine.answer_key import CHECK_SEED
from utils.checks.engine.naming import Match
from utils.checks.engine.observation import Observation
from utils.checks.engine.question import observe

# Correct variants may warn: that must not cost a mark.
pytestmark = pytest.mark.filterwarnings("ignore")

EVERY = 28  # of so many cases one is examined here, in turn over the whole catalogue
SEEDS = 3


LESSONS = [Lesson.load(name, WORKBOOK) for name in list(WORKBOOK.lessons)]


def by_cell(lesson: Lesson, kind: str) -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = {name: [] for name in lesson.solutions}
    for case in cases(lesson, kinds=(kind,)):
        found[case.cell].append(case)
    return found


def identity(case: Case) -> str:
    return f"{case.lesson.name}-{case.cell}-{case.name}"


ALL = [case for lesson in LESSONS for case in cases(lesson)]
SAMPLE = [case for lesson in LESSONS for case in list(cases(lesson))[::EVERY]]
FIRST = [
    found[0]
    for lesson in LESSONS
    for kind in ("mistakes", "variants")
    for found in by_cell(lesson, kind).values()
    if found
]
# A mistake of one question, a right variant of the next: `make verdicts` grades all of them through the sandbox.
IN_TURN = [
    next(case for case in FIRST if case.lesson is lesson and case.cell == cell and bool(case.mistake) == is_mistake)
    for lesson in LESSONS
    for cell, is_mistake in zip(lesson.solutions, itertools.cycle((True, False)), strict=False)
]

# In the sandbox each call gets inputs of its own; who changes them in place must show the same there as in the key.
SPOILING = [case for case in ALL if case.name in ("input_changed", "encoding_input_changed")]


@pytest.fixture(scope="module")
def limits() -> Limits:
    return Limits()


def test_the_corpus_is_as_large_as_promised():
    assert sum(bool(case.mistake) for case in ALL) >= 150
    assert sum(not case.mistake for case in ALL) >= 60
    for lesson in LESSONS:
        for kind in ("mistakes", "variants"):
            missing = [cell for cell, found in by_cell(lesson, kind).items() if not found]
            assert not missing, f"{lesson.name} has no {kind} of {missing}"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_every_mistake_still_fits_its_reference(lesson):
    for mistake in mistakes.load(lesson).values():
        assert mistakes.code_of(lesson, mistake) != lesson.solutions[mistake.cell].code
        assert set(mistake.loses) <= {cell.grade_id for cell in lesson.of_role("test")}
        assert mistake.says


@pytest.mark.parametrize("case", SAMPLE, ids=identity)
def test_a_sample_in_this_process(case):
    row = verdicts.examine_quickly(case, seed=1)
    assert row.complaints == []


@pytest.mark.parametrize("case", IN_TURN + SPOILING, ids=identity)
def test_every_question_through_the_sandbox(case, sandbox):
    row = verdicts.examine_really(case, sandbox)
    assert row.complaints == []


@pytest.mark.whole
def test_the_check_names_what_the_exam_names():
    rows = [verdicts.examine_quickly(case, seed=2) for case in FIRST if case.mistake]
    unnamed = [identity(row.case) for row in rows if not verdicts.is_named(row.case, row.named_by_check)]
    assert len(unnamed) <= 0.05 * len(rows), unnamed


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_no_verdict_flips_over_many_seeds(lesson):
    some = itertools.islice(by_cell(lesson, "variants").values(), 3)
    for case in [found[-1] for found in some if found]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            lost = {seed: verdicts.examine_quickly(case, seed).lost for seed in range(SEEDS)}
        assert not any(lost.values()), (identity(case), lost)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_answers_that_do_nothing_earn_nothing(lesson, sandbox):
    notebook = compose(lesson, blank=True)
    for cell in notebook.cells:
        cell.source = cell.source.replace("raise NotImplementedError", "None  #")
    questions = examine(notebook, lesson, sandbox).questions
    assert [(question.id, question.points) for question in questions if question.points] == []


@pytest.mark.whole
@pytest.mark.parametrize("seed", [CHECK_SEED, 0])
def test_a_layer_of_one_head_drops_about_half_every_time(seed):
    """145 weights were outside of its bounds once in 300 times, and the mistake had no name then."""
    lesson = Lesson.load("captioning", WORKBOOK)
    check = reference.checks_of(lesson) if seed == CHECK_SEED else exams_of(lesson)
    test = check["multi_head_attention"].tests["what_is_dropped"]
    students = reference.mutant_students(lesson, "multi_head_attention", "heads_ignored_but_scaled")
    key = reference.LiveKey(lesson, check["multi_head_attention"], seed)
    seen = [observe(test, key.probe(test), students).value for _ in range(1500)]
    assert all(truth for one in seen for sentence, truth in one.items() if "same" not in sentence)


def test_random_numbers_are_known_as_that_also_where_two_agree_by_chance(monkeypatch):
    """A worker took them for steady once they had, and from then on `extra_dropout` had no name: 135 times in 200."""
    exam = exams_of(Lesson.load("captioning", WORKBOOK))["captioning_transformer"]
    test, mistake = exam.tests["gradients_reach"], "extra_dropout"
    monkeypatch.setattr(reference, "_random", {})
    key = reference.LiveKey(Lesson.load("captioning", WORKBOOK), exam, seed=0)
    norms = itertools.accumulate(itertools.repeat(1e-6))
    monkeypatch.setattr(key, "_run", lambda *_: Observation({"embedding.weight": next(norms)}))
    assert key.shows(mistake, test, Observation({"embedding.weight": 1.0})) is Match.CHANCE


@pytest.mark.whole
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_two_mistakes_at_once_lose_points_and_are_not_told_of_a_third(lesson):
    found = [pairs.examine_pair(pair, seed=3) for pair in itertools.islice(pairs.pairs(lesson, most=1), 0, None, 2)]
    assert all(one.lost for one in found)
    assert [(one.pair.one.id, one.pair.other.id) for one in found if one.false(one.exam | one.check)] == []
    assert any(one.exam for one in found), "nothing is ever named of two mistakes"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_the_catalogue_s_order_does_not_matter(lesson, monkeypatch):
    cases_ = [case for case in SAMPLE if case.lesson is lesson and case.mistake][::5]
    named = [verdicts.examine_quickly(case, seed=1).named for case in cases_]
    backwards = dict(reversed(mistakes.load(lesson).items()))
    monkeypatch.setattr(mistakes, "load", lambda of: backwards)
    assert [verdicts.examine_quickly(case, seed=1).named for case in cases_] == named
    assert all(named)


def test_a_class_is_named_by_its_one_sentence():
    lesson, alike = Lesson.load("attention", WORKBOOK), {"gradients_never_computed", "no_step", "step_first"}
    chosen = [case for case in cases(lesson, kinds=("mistakes",)) if case.name in alike]
    rows = [verdicts.examine_quickly(case, 2) for case in chosen]
    assert len(rows) == 3 and all(row.named == row.named_by_check == {"nothing_learned"} for row in rows)


@pytest.mark.whole
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_slip_loses_points_and_is_told_of_nothing_else(lesson):
    found = [slips.examine_slip(slip, seed=3) for slip in itertools.islice(slips.slips(lesson), 0, None, 17)]
    assert [one.slip.what for one in found if not one.lost and not one.harmless] == []
    assert [(one.slip.what, one.false) for one in found if one.false] == []
    assert any(one.names for one in found), "nothing is ever named"


def test_slips_change_only_what_students_write():
    lesson = Lesson.load("seq2seq", WORKBOOK)
    made = list(slips.slips(lesson))
    assert len({(slip.cell, slip.code) for slip in made}) == len(made) > 150
    kept = "compared = torch.tanh(self.query_layer(query).unsqueeze(1) + keys)"
    additive = [slip for slip in made if slip.cell == "additive_attention"]
    assert any(kept not in slip.code for slip in additive)
    assert all("super().__init__(query_dim, state_dim, score_dim)" in slip.code for slip in additive)
    assert any("operands exchanged" in slip.what for slip in made) and any("dropped" in slip.what for slip in made)


def test_the_lists_of_exceptions_name_what_exists():
    for lesson in LESSONS:
        made = [(slip.cell, slip.what) for slip in slips.slips(lesson)]
        listed = [(cell, part) for cell, parts in slips.harmless(lesson).items() for part in parts]
        assert listed
        assert [one for one in listed if not any(one[0] == cell and one[1] in what for cell, what in made)] == []
        cells = [{m.id for m in mistakes.load(lesson).values() if m.cell == cell} for cell in lesson.solutions]
        pairs_listed = [*pairs.cancel_out(lesson), *(pair | {to} for pair, to in pairs.add_up(lesson).items())]
        assert [pair for pair in pairs_listed if not any(pair <= cell for cell in cells)] == []
