"""The porters of the lesson `recall` as their explorer's page reads them: trained vectors, names, a day, and probes.

The page computes the lesson's formulas with these vectors: attention, a table that adds, a table that corrects itself.
In the page, the probe of each porter tells whether its memory, which is the student's function, computes its formula.
"""

from typing import Any

import torch

from utils.alive.weights import exact, linear_of, packed, unknown
from utils.common.devices import device_of
from utils.recall.hotel import GUESTS, ROOMS, days, name

# The page's first day, guests and rooms. Its first guest is told again at the end, with another room.
TOLD = ((284, 3), (17, 21), (98, 58), (143, 9), (231, 33), (305, 12), (402, 47), (490, 26), (284, 40))
PROBED = 12  # guests of a probe's day; half of them move

Pairs = list[dict[str, int]]


@torch.no_grad()
def exported(porters: dict[str, Any]) -> dict[str, Any]:
    """Return the porters by kinds of memory, the guests' names, and the first day.

    `memory.js` knows the kinds softmax and table; a porter of any other kind uses the delta rule.

    Raises: CannotExport for a part that does not have the lesson's form.
    """
    return {
        "memories": [_memory(kind, porter) for kind, porter in porters.items()],
        "names": [name(guest) for guest in range(GUESTS)],
        "told": pairs(*zip(*TOLD, strict=True)),
    }


def pairs(guests: Any, rooms: Any) -> Pairs:
    """Return pairs that are told, as the page reads them."""
    return [{"guest": int(guest), "room": int(room)} for guest, room in zip(guests, rooms, strict=True)]


def _memory(kind: str, porter: Any) -> dict[str, Any]:
    """Return one porter: its sizes, its vectors in the order in which `memory.js` takes them, and a probe."""
    if not all(callable(getattr(porter, part, None)) for part in ("keys", "queries", "values")):
        raise unknown(porter)
    device = device_of(porter)
    guests, rooms = torch.arange(GUESTS, device=device), torch.arange(ROOMS, device=device)
    tensors = [porter.keys(guests), porter.queries(guests), porter.values(rooms), *linear_of(porter.output)]
    day = days(PROBED, 1, torch.Generator().manual_seed(0), moved=True)
    output = porter(*(part.to(device) for part in (day.guests, day.rooms, day.asked)))[0]
    return {
        "kind": kind,
        "size": porter.d,
        "guests": GUESTS,
        "rooms": ROOMS,
        "weights": packed(tensors),
        "probe": {"told": pairs(day.guests[0], day.rooms[0]), "asked": day.asked[0].tolist(), "output": exact(output)},
    }
