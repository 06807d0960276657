"""The check of our question on temperature, in addition to the checks of `attention`."""

from typing import Any

from utils.checks.check import Check
from utils.checks.engine.probe import Probe

tempered = Check(
    "tempered",
    title="Attention with a temperature",
    sizes={"N": 3, "T": 5},
    hints=("Divide the scores before the softmax.", "The softmax is taken along each row: dim=1."),
)


@tempered.test("weights at a temperature of 2")
def flatter(probe: Probe, tempered: Any) -> Any:
    return tempered(probe.normal(probe["N"], probe["T"]), 2.0)


@tempered.test("weights at a temperature of a half")
def sharper(probe: Probe, tempered: Any) -> Any:
    return tempered(probe.normal(probe["N"], probe["T"]), 0.5)
