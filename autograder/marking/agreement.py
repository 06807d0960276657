"""Measures how far two graders agree, item by item, on the answers that both have marked."""

from typing import Any

from autograder.essays.rubric import Rubric
from autograder.marking.question import Card


def agreement(rubric: Rubric, cards: dict[str, Card]) -> dict[str, Any]:
    """Return the number of answers marked twice and, for each item, how often both agree, with Cohen's kappa.

    kappa = (p - e) / (1 - e), with p the share of answers on which both agree and e the share to be expected by chance
    (Cohen, 1960); None where chance alone would make them agree always.
    """
    pairs = [
        (set(rubric.given(card.record.mark.items, card.record.mark.rubric)), set(card.record.second.items))
        for card in cards.values()
        if card.record.mark is not None and card.record.second is not None
    ]
    items = {item.id: _of_item([(item.id in a, item.id in b) for a, b in pairs]) for item in rubric.items}
    return {"answers": len(pairs), "items": items if pairs else {}}


def _of_item(pairs: list[tuple[bool, bool]]) -> dict[str, Any]:
    """Return how two graders agree on one item; a pair says whether the first and the second grader gave the item."""
    if not pairs:
        return {}
    count = len(pairs)
    agreed = sum(pair[0] == pair[1] for pair in pairs)
    first, second = (sum(pair[n] for pair in pairs) / count for n in (0, 1))  # how often each gave the item
    # Expected by chance: both give the item, or neither does, if the graders decide independently of each other.
    chance = first * second + (1 - first) * (1 - second)
    kappa = None if chance == 1 else round((agreed / count - chance) / (1 - chance), 2)
    only_first, only_second = (sum(pair[n] and not pair[1 - n] for pair in pairs) for n in (0, 1))
    return {"agreed": agreed, "only_first": only_first, "only_second": only_second, "kappa": kappa}
