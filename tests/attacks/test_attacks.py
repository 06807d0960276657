"""Every attack gains no mark, sees nothing, harms nobody, and is told to the instructor."""

import base64
import io
import json
import re

import pytest
from PIL import Image

from autograder.common.errors import SandboxLost
from autograder.examine.examiner import examine
from autograder.examine.outputs import MAX_ALL_PIXELS, MAX_PIXELS
from autograder.examine.result import Result
from autograder.sandbox.limits import Limits
from autograder.sandbox.parent import Sandbox
from benchmarks.proof.attacks import ANSWERS, LIMITS, points

from .corpus import ATTENTION, Attack, attacked, attacks, honest


@pytest.fixture(scope="module")
def limits() -> Limits:
    return LIMITS


@pytest.fixture(scope="module")
def honest_points(sandbox):
    """The points of honest submissions with right, wrong, trivial and blank answers."""
    results = {
        answers: examine(honest(answers), ATTENTION, sandbox) for answers in ("right", "wrong", "trivial", "blank")
    }
    assert not any(result.flags for result in results.values())
    return {answers: points(result) for answers, result in results.items()}


def by_quickness() -> list:
    return [
        pytest.param(attack, id=attack.name, marks=() if attack.quick else pytest.mark.only_with_all_attacks)
        for attack in attacks()
    ]


@pytest.mark.parametrize("attack", by_quickness())
def test_attack(attack: Attack, sandbox, honest_points):
    answers = ANSWERS[attack.kind]
    try:
        result = examine(attacked(attack, answers), ATTENTION, sandbox)
    except SandboxLost:  # a busy computer, and a stop at another place each time: no mark at all, and a sentence
        assert attack.kind != "harm", "right answers have no mark"
        return assert_works(sandbox)

    expected = honest_points["trivial" if attack.place == "answer" else answers]
    gained = {name: earned for name, earned in points(result).items() if earned > expected[name]}
    assert not gained, f"points above the honest version's: {gained}"
    if attack.kind == "harm" and attack.keeps == "marks" and attack.place != "answer":
        assert points(result) == expected

    assert not leaks(result)
    assert all(text.replace("\n", " ").isprintable() for text in [*reasons(result), *result.flags])
    pixels = [width * height for width, height in picture_sizes(result)]
    assert max(pixels, default=0) <= MAX_PIXELS and sum(pixels) <= MAX_ALL_PIXELS
    assert result.flags or attack.flag == "no", "nothing was told to the instructor"
    assert len(json.dumps(result.to_json())) + len(json.dumps(result.outputs)) < 20 * 2**20
    json.dumps([result.to_json(), result.outputs], ensure_ascii=False).encode()  # can be stored
    assert_works(sandbox)


def leaks(result: Result) -> list[str]:
    """Return what an attack says it saw, and what it should not have seen."""
    texts = reasons(result)
    for outputs in result.outputs.values():
        texts += [output["text"] for output in outputs if output["output_type"] == "stream"]
        texts += [output["data"]["text/plain"] for output in outputs if "data" in output]
    hidden = [cell.hidden.strip() for cell in ATTENTION.of_role("test")]
    return [text for text in texts if "LEAK" in text or any(line in text for line in hidden)]


def reasons(result: Result) -> list[str]:
    return [verdict.reason.render() for question in result.questions for verdict in question.verdicts if verdict.reason]


def picture_sizes(result: Result) -> list[tuple[int, int]]:
    """Return the sizes of all pictures shown, as Pillow reads them; it refuses what is damaged."""
    outputs = [output for outputs in result.outputs.values() for output in outputs]
    pictures = [output["data"]["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    return [Image.open(io.BytesIO(base64.b64decode(picture))).size for picture in pictures]


def assert_works(sandbox: Sandbox) -> None:
    """The next submission finds a fresh sandbox."""
    with sandbox.session() as session:
        reply = session.run_cell("import os\nprint(6 * 7, os.listdir('/scratch'))", "next")
    assert [output["text"] for output in reply["outputs"]] == ["42 []\n"]


def test_an_answer_of_zeros_earns_next_to_nothing(honest_points):
    assert sum(honest_points["trivial"].values()) < 0.05 * sum(honest_points["right"].values())


def test_the_corpus_is_large_and_well_named():
    found = attacks()
    assert len(found) >= 90
    assert all(re.fullmatch(r"(marks|secrets|harm)__[a-z0-9_]+", attack.name) for attack in found)
    assert sum(attack.quick for attack in found) * 4 >= len(found) * 0.9, "a quarter should run in every test"
