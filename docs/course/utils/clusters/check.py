"""The public checks of our lesson on clusters."""

from typing import Any

from utils.checks.check import Check
from utils.checks.engine.probe import Probe

nearest = Check(
    "nearest",
    title="The nearest centre",
    sizes={"N": 11, "K": 3, "D": 2},
    hints=("Subtract every centre from every point: (N, 1, D) - (1, K, D).",),
)


@nearest.test("the number of each point's nearest centre")
def numbers(probe: Probe, nearest: Any) -> Any:
    return nearest(probe.normal(probe["N"], probe["D"]), probe.normal(probe["K"], probe["D"]))


moved = Check("moved", title="Moving the centres", sizes={"N": 11, "K": 3, "D": 2})


@moved.test("each centre moves to the mean of its points")
def means(probe: Probe, moved: Any) -> Any:
    labels = probe.integers(0, probe["K"], probe["N"])
    return moved(probe.normal(probe["N"], probe["D"]), labels, probe.normal(probe["K"], probe["D"]))


@moved.test("a centre without points stays")
def lonely(probe: Probe, moved: Any) -> Any:
    labels = probe.integers(0, 2, probe["N"])  # nobody has the last number
    return moved(probe.normal(probe["N"], probe["D"]), labels, probe.normal(probe["K"], probe["D"]))
