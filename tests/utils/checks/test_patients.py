"""The patients of the lessons: each is exactly one known mistake, one line heals it, and no weight tells which."""

import collections
import itertools

import numpy as np
import pytest
import torch

from autograder.exams import reference
from autograder.exams.exam import exams_of
from benchmarks.patients import LESSONS, ward
from utils.checks.engine.question import observe
from utils.checks.patients import ANOTHER, HEALTHY
from utils.common.errors import DataError
from utils.common.messages import LANGUAGES
from utils.gpt.tales.letters import Rows, encode

# Short tales, because a language model is slow; and the row with which the explorer's page of `gpt` is tested.
TALES = ward("gpt").patients.inputs(3)
INPUTS = {"gpt": Rows(TALES.letters[:2, :90], TALES.kinds[:2, :90], TALES.names)}
PROBED = {
    "gpt": Rows(encode("\nRibata met Zasuma. Zasuma helped Sakule. Zasuma").unsqueeze(0), TALES.kinds, TALES.names)
}
EACH = [(lesson, patient) for lesson in LESSONS for patient in range(8)]


def answers(one, model, inputs=INPUTS):
    name = one.lesson.name
    return one.patients.read(model, inputs[name] if name in inputs else one.patients.inputs(3))


@pytest.fixture(scope="module")
def healthy():
    """The answers of each lesson's healthy model."""
    return {name: answers(ward(name), ward(name).admitted(ward(name).patients.weights(HEALTHY))) for name in LESSONS}


@pytest.fixture(scope="module")
def mistaken():
    """What a healthy model answers with each lesson's illnesses as mistakes in the code, in the order of the list."""
    weights = {name: ward(name).patients.weights(HEALTHY) for name in LESSONS}
    return {
        name: [answers(ward(name), ward(name).admitted(weights[name], each)) for each in illnesses]
        for name, illnesses in ((name, ward(name).illnesses) for name in LESSONS)
    }


@pytest.mark.parametrize(("lesson", "patient"), EACH)
def test_a_patient_is_exactly_one_known_mistake(lesson, patient, mistaken):
    one = ward(lesson)
    ill = answers(one, one.admitted(one.patients.weights(patient)))
    rounding = 1e-5 * max(100, float(ill.abs().max()))  # 1e-3, and more for answers in the hundreds
    alike = [n for n, seen in enumerate(mistaken[lesson], 1) if float((ill - seen).abs().max()) < rounding]
    assert alike == [one.illness_of(patient)]


@pytest.mark.parametrize(("lesson", "patient"), EACH)
def test_one_cure_of_the_eight_heals_a_patient(lesson, patient, healthy):
    one = ward(lesson)
    treated = [one.treated(patient, illness.cure, seed=7) for illness in one.illnesses]
    heal = [one.patients.is_healed(answers(one, model), healthy[lesson]) for model in treated]
    assert heal == [number == one.illness_of(patient) for number in range(1, 9)]


# A cure in one line for six and more of each lesson's illnesses.
IN_ONE_LINE = {
    "gpt": {
        "attention_scale_without_root 1 0": "patient.blocks[0].attention.query.weight[:24] *= 24**0.5",
        "attention_scale_without_root 1 1": "patient.blocks[0].attention.query.weight[24:48] *= 24**0.5",
        "attention_scale_without_root 2 0": "patient.blocks[1].attention.key.weight[:24] *= 24**0.5",
        "attention_scale_multiplied 1 2": "patient.blocks[0].attention.query.weight[48:72] /= 24",
        "attention_keys_ask 1 3": "a, r = patient.blocks[0].attention, slice(72, 96); "
        "a.query.weight[r], a.key.weight[r] = a.key.weight[r].clone(), a.query.weight[r].clone()",
        "rotate_backwards 2 1": "a = patient.blocks[1].attention; "
        "a.query.weight[25:48:2], a.key.weight[25:48:2] = -a.query.weight[25:48:2], -a.key.weight[25:48:2]",
    },
    "recall": {
        "delta_never_twice": "patient.guest.weight *= 2**0.5",
        "delta_doubled": "patient.guest.weight /= 2**0.5",
        "read_scaled": "patient.value.weight *= 32**0.5",
        "read_scaled_by_d": "patient.value.weight *= 32",
        "read_sign": "patient.value.weight *= -1",
        "read_mirrored": "patient.query.weight[:] = patient.query.weight.flip(0)",
    },
    "attention": {
        "scaled_by_key_dim": "for p in patient.attention.query.parameters(): p *= 4",
        "scaled_by_length": "for p in patient.attention.query.parameters(): p *= 10",
        "scaled_up_by_key_dim": "for p in patient.attention.query.parameters(): p /= 4",
        "query_key_exchanged": "a = patient.attention; a.query, a.key = a.key, a.query",
        "bits_inverted": "patient.first.weight[:, 1:] *= -1",
        "encoding_first": "patient.first.weight[:] = patient.first.weight.roll(-1, 1)",
    },
}


@pytest.mark.parametrize("lesson", LESSONS)
def test_six_of_a_lesson_s_eight_patients_are_healed_by_one_line(lesson, healthy):
    one = ward(lesson)
    ill = ((patient, one.illnesses[one.illness_of(patient) - 1]) for patient in range(one.patients.count()))
    of = {" ".join(map(str, (illness.mistake, *(illness.told or ())[1:]))): patient for patient, illness in ill}
    for mistake, line in IN_ONE_LINE[lesson].items():
        treated = one.treated(of[mistake], lambda patient, line=line: exec(line, {"patient": patient}))
        assert one.patients.is_healed(answers(one, treated), healthy[lesson]), mistake
    assert len(IN_ONE_LINE[lesson]) >= 6 and one.patients.count() >= 8


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_two_sentences_fit_one_patient_by_the_losses_that_students_see(lesson, mistaken, healthy):
    """So a mark never depends on which of two look-alikes was named."""
    one = ward(lesson)
    inputs = INPUTS.get(lesson) or one.patients.inputs(3)
    seen = [one.patients.losses(each, inputs) for each in (healthy[lesson], *mistaken[lesson])]
    shown = [tuple(f"{loss:.2f}" for loss in losses.values()) for losses in seen]
    assert len(set(shown)) == len(shown) == 9


@pytest.mark.parametrize("patient", range(8))
def test_the_right_cure_of_another_head_is_none(patient, healthy):
    one = ward("gpt")
    illness = one.illnesses[one.illness_of(patient) - 1]
    for layer, head in itertools.product((1, 2), range(4)):
        treated = one.treated(patient, one.recipe.illness(illness.mistake, layer, head).cure)
        healed = one.patients.is_healed(answers(one, treated), healthy["gpt"])
        assert healed == ((layer, head) == illness.told[1:])


# A number may be wrong by a fifth, not by four fifths; of the head that matters least, 2 / 0, not by nine tenths.
@pytest.mark.parametrize("patient", range(8))
def test_a_number_is_found_by_measuring(patient, healthy):
    one = ward("gpt")
    illness = one.illnesses[one.illness_of(patient) - 1]
    if illness.told[0] == one.recipe.MULTIPLIED:
        _, layer, head = illness.told

        def healed(share):
            def cure(model):
                model.blocks[layer - 1].attention.query.weight[24 * head : 24 * head + 24] /= illness.change[2] * share

            return one.patients.is_healed(answers(one, one.treated(patient, cure)), healthy["gpt"])

        assert [healed(share) for share in (0.1, 0.8, 1.2, 2.0)] == [False, True, True, False]


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_disguise_changes_all_matrices_and_no_result(lesson, healthy):
    one = ward(lesson)
    first, other = (one.patients.weights(HEALTHY, seed) for seed in (1, 2))
    assert not [name for name in first if first[name].ndim > 1 and torch.equal(first[name], other[name])]
    torch.testing.assert_close(answers(one, one.admitted(first)), healthy[lesson], rtol=0, atol=1e-3)


@pytest.mark.parametrize(("lesson", "patient"), EACH)
def test_no_matrix_of_a_patient_is_zero_an_identity_another_one_or_of_another_size(lesson, patient):
    weights = ward(lesson).patients.weights(patient)
    matrices = {name: value.flatten(1) for name, value in weights.items() if value.ndim > 1}
    for name, matrix in matrices.items():
        assert float(matrix.abs().mean()) > 1e-4, name
        scaled = matrix / matrix.norm() * len(matrix) ** 0.5
        assert float((scaled.abs() - torch.eye(*matrix.shape)).abs().mean()) > 0.01, name
    for (name, matrix), (second, other) in itertools.combinations(matrices.items(), 2):
        if matrix.shape == other.shape:
            cosine = torch.nn.functional.cosine_similarity(matrix.flatten(), other.flatten(), dim=0)
            assert abs(float(cosine)) < 0.9, (name, second)


@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("patient", range(8))
def test_a_factor_of_scores_is_shared_by_queries_and_keys(layer, patient):
    weights = ward("gpt").patients.weights(patient)
    query, key = (weights[f"blocks.{layer}.attention.{part}.weight"].norm() for part in ("query", "key"))
    assert 0.5 < query / key < 2


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_illness_has_one_patient_and_names_draw_them_evenly(lesson):
    one = ward(lesson)
    assert sorted(map(one.illness_of, range(one.patients.count()))) == list(range(1, 9))
    assert len(one.illnesses) == len({(illness.mistake, illness.told) for illness in one.illnesses}) == 8
    drawn = collections.Counter(one.patients.number_of(f"student {number}") for number in range(4000))
    assert sorted(drawn) == list(range(8)) and max(drawn.values()) < 1.4 * min(drawn.values())
    assert one.patients.number_of("Ada  Lovelace") == one.patients.number_of("ada lovelace ")


def test_the_same_name_has_other_illnesses_in_other_lessons():
    orders = [tuple(ward(lesson).illness_of(patient) for patient in range(8)) for lesson in LESSONS]
    assert len(set(orders)) == len(LESSONS)


def test_there_is_no_other_patient():
    with pytest.raises(DataError, match="0 to 7"):
        ward("gpt").patients.weights(8)


@pytest.mark.parametrize("lesson", LESSONS)
def test_what_students_get_is_small_and_names_no_illness(lesson):
    one = ward(lesson)
    asset = one.patients.asset
    # The wheel has the file, and each language's notebook for Colab has it, in base64.
    assert asset.stat().st_size * (1 + len(LANGUAGES) * 4 / 3) < 4e6
    with np.load(asset) as file:
        held = " ".join([*file, *map(str, file["illnesses"])])
    shipped = held + asset.with_name("patients.py").read_text(encoding="utf-8")
    assert not [illness.mistake for illness in one.illnesses if illness.mistake in shipped]


@pytest.mark.parametrize(("lesson", "patient"), EACH)
def test_the_explorer_s_page_which_has_half_precision_takes_a_patient(lesson, patient):
    one = ward(lesson)
    model = one.admitted(one.patients.weights(patient))
    exact = answers(one, model, PROBED)
    off_by = (answers(one, model.half().float(), PROBED) - exact).abs().max() / exact.abs().max()
    assert off_by < 0.01  # the page refuses a model from 0.02 on


def lost(lesson, heal):
    """The tests of the exam that an answer does not pass."""
    one = ward(lesson)
    key = reference.key_of(one.lesson, exams_of(one.lesson)["heal"], 11)
    names = reference.reference_names(one.lesson)
    students = (heal, names["admitted"], names["whose"])
    return {
        name
        for name, test in key.question.tests.items()
        if (seen := observe(test, key.probe(test), students)).failure or seen.value != key.expected(test)
    }


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_stored_model_and_a_name_without_a_cure_earn_nothing_for_the_cure(lesson):
    one = ward(lesson)
    patients = one.patients
    number = one.illness_of(patients.number_of(""))
    illness = one.illnesses[number - 1]
    inputs = patients.inputs(0)
    before, healed = (
        patients.losses(patients.read(one.admitted(patients.weights(each)), inputs), inputs)
        for each in (patients.number_of(""), HEALTHY)
    )
    told = illness.told or (number, before[patients.told])
    if illness.told:
        ill, layer, head = told
        wrong = ((ill % 3 + 1, layer, head), (ill, 3 - layer, head), (ill, layer, head + 1), (ill, layer, "1"))
    else:
        loss = before[patients.told]
        wrong = ((number % 8 + 1, loss), (number, healed[patients.told]), (number + 0.5, loss), (number, "2.45"))

    def right(patient):
        with torch.no_grad():
            illness.cure(patient)
        return *told[:-1], torch.tensor(told[-1])

    def stored(patient):
        patient.load_state_dict(patients.weights(HEALTHY))
        return told

    def broken(patient):
        next(patient.parameters()).data.fill_(float("nan"))
        return told

    def only_named(patient):
        return told

    assert lost(lesson, right) == set()
    key = reference.key_of(one.lesson, exams_of(one.lesson)["heal"], 11)
    probe = key.probe(key.question.tests["cured"])
    admitted = reference.reference_names(one.lesson)["admitted"]
    # The public check says so, too.
    assert [patients.cured(probe, heal, admitted, "")[ANOTHER] for heal in (right, stored)] == [False, True]
    assert lost(lesson, stored) == lost(lesson, broken) == lost(lesson, only_named) == {"cured"}
    for each in (*wrong, None, number):
        assert lost(lesson, lambda patient, each=each: each) == {"cured", "named"}, each
