"""The patients of the lesson `gpt`: each is exactly one known mistake, one line heals it, and no weight tells which."""

import collections
import itertools

import numpy as np
import pytest
import torch

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.course.train_patients import ILLNESSES
from autograder.exams import reference
from autograder.exams.exam import exams_of
from autograder.lesson.text import Lesson
from benchmarks.patients import CURES, admitted, illness_of
from utils.checks.engine.question import observe
from utils.common.errors import DataError
from utils.gpt import patients
from utils.gpt.tales.letters import Rows, encode

ALL = range(patients.count())
LESSON = Lesson.load("gpt", WORKBOOK)
NAMES = reference.reference_names(LESSON)
SMALL = patients.measured_on(3)
SMALL = Rows(SMALL.letters[:2, :90], SMALL.kinds[:2, :90], SMALL.names)


def scores(model):
    return patients.read(model, SMALL)


@pytest.fixture(scope="module")
def healthy():
    return scores(admitted(patients.weights(patients.HEALTHY), NAMES))


@pytest.mark.parametrize("patient", ALL)
def test_a_patient_is_exactly_one_known_mistake(patient):
    known = mistakes.load(LESSON)
    ill = scores(admitted(patients.weights(patient), NAMES))
    weights = patients.weights(patients.HEALTHY)
    shown = {
        illness.mistake: scores(admitted(weights, reference.mutant_names(LESSON, known[illness.mistake])))
        for illness in ILLNESSES
    }
    alike = [mistake for mistake, seen in shown.items() if float((ill - seen).abs().max()) < 1e-3]
    assert alike == [ILLNESSES[illness_of(patient) - 1].mistake]


@pytest.mark.parametrize("patient", ALL)
def test_one_cure_of_the_eight_heals_a_patient(patient, healthy):
    heal = []
    for cure in CURES:
        treated = admitted(patients.weights(patient, seed=7), NAMES)
        with torch.no_grad():
            cure(treated)
        heal.append(patients.is_healed(scores(treated), healthy))
    assert heal == [number == illness_of(patient) for number in range(1, len(CURES) + 1)]


def test_a_cure_of_one_block_alone_is_none(healthy):
    patient = next(one for one in ALL if ILLNESSES[illness_of(one) - 1].mistake == "attention_no_scale")
    treated = admitted(patients.weights(patient), NAMES)
    with torch.no_grad():
        treated.blocks[0].attention.query.weight /= 24**0.5
    assert not patients.is_healed(scores(treated), healthy)


def test_a_disguise_changes_all_weights_and_no_result(healthy):
    one, other = (patients.weights(patients.HEALTHY, seed) for seed in (1, 2))
    assert not [name for name in one if torch.equal(one[name], other[name])]
    torch.testing.assert_close(scores(admitted(one, NAMES)), healthy, rtol=0, atol=1e-3)


@pytest.mark.parametrize("patient", ALL)
def test_no_matrix_of_a_patient_is_zero_an_identity_another_one_or_of_another_size(patient):
    weights = patients.weights(patient)
    matrices = [matrix for name, matrix in weights.items() if "attention" in name]
    assert all(float((matrix - torch.eye(96)).abs().mean()) > 0.01 for matrix in matrices)
    assert all(float((one - other).abs().mean()) > 0.01 for one, other in itertools.combinations(matrices, 2))
    for layer in range(patients.LAYERS):
        attention = f"blocks.{layer}.attention"
        query, key = (weights[f"{attention}.{part}.weight"].norm() for part in ("query", "key"))
        assert 0.5 < query / key < 2


def test_each_illness_has_one_patient_and_names_draw_them_evenly():
    assert sorted(map(illness_of, ALL)) == list(range(1, len(ILLNESSES) + 1))
    drawn = collections.Counter(patients.number_of(f"student {number}") for number in range(4000))
    assert sorted(drawn) == list(ALL) and max(drawn.values()) < 1.4 * min(drawn.values())
    assert patients.number_of("Ada  Lovelace") == patients.number_of("ada lovelace ")


def test_there_is_no_other_patient():
    with pytest.raises(DataError, match="0 to 7"):
        patients.weights(8)


def test_what_students_get_is_small_and_names_no_illness():
    assert patients.ASSET.stat().st_size < 400_000
    with np.load(patients.ASSET) as file:
        held = " ".join([*file, *map(str, file["illnesses"])])
    shipped = held + patients.ASSET.with_name("patients.py").read_text(encoding="utf-8")
    assert not [illness.mistake for illness in ILLNESSES if illness.mistake in shipped]


@pytest.mark.parametrize("patient", ALL)
def test_the_explorer_s_page_which_has_half_precision_takes_a_patient(patient):
    model = admitted(patients.weights(patient), NAMES)
    probed = encode("\nRibata met Zasuma. Zasuma helped Sakule. Zasuma")  # the lesson's first unseen row
    with torch.no_grad():
        exact = model(probed.unsqueeze(0))
        off_by = (model.half().float()(probed.unsqueeze(0)) - exact).abs().max() / exact.abs().max()
    assert off_by < 0.01  # the page refuses a model from 0.02 on


@pytest.fixture(scope="module")
def key():
    return reference.key_of(LESSON, exams_of(LESSON)["heal"], 11)


def lost(key, heal):
    """The tests of the exam that an answer does not pass."""
    students = (heal, NAMES["admitted"], NAMES["whose"])
    return {
        name
        for name, test in key.question.tests.items()
        if (seen := observe(test, key.probe(test), students)).failure or seen.value != key.expected(test)
    }


def test_a_stored_model_and_a_name_without_a_cure_earn_nothing_for_the_cure(key):
    number = illness_of(patients.number_of(NAMES["whose"]))
    told = number, 2.45

    def right(patient):
        with torch.no_grad():
            CURES[number - 1](patient)
        return told

    def stored(patient):
        patient.load_state_dict(patients.weights(patients.HEALTHY))
        return told

    def broken(patient):
        patient.blocks[0].attention.query.weight.data.fill_(float("nan"))
        return told

    assert lost(key, right) == set()
    assert lost(key, stored) == lost(key, broken) == lost(key, lambda patient: told) == {"cured"}
    for answer in ((number % 8 + 1, 2.45), (number, 0.02), (number + 0.5, 2.45), (number, "2.45"), None, number):
        assert lost(key, lambda patient, answer=answer: answer) == {"cured", "named"}, answer
