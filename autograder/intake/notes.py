"""What intake says about cells that it has mended: a sentence on each, or one on all if the same is true of many."""

from utils.common.messages import N_, Message

# Sentences on single cells, each with the sentence that takes its place for more than MANY cells.
TWICE = N_("The cell {cell} was there twice."), N_("{count} cells were there twice; each counts once.")
PUT_BACK = (
    N_("The cell {cell} was missing and was put back."),
    N_("{count} cells of the lesson were missing and were put back."),
)
RESTORED = (
    N_("The cell {cell} had been changed and was restored."),
    N_("{count} cells of the lesson had been changed and were restored."),
)
MISSING = (
    N_("The cell {cell} was missing; it counts as empty."),
    N_("{count} answers were missing; they count as empty."),
)
JOINED = (
    N_("The cell {cell} was there {count} times and was joined."),
    N_("{count} answers were there more than once and were joined."),
)
RETYPED = (
    N_("The type of the cell {cell} had been changed and was restored."),
    N_("The types of {count} cells had been changed and were restored."),
)
MOVED = (
    N_("The answer to {cell} was found in another cell."),
    N_("{count} answers were found in other cells."),
)
BELOW = (
    N_("The code of {cell} was below its check; it was taken from there."),
    N_("The code of {count} cells was below their checks; it was taken from there."),
)
CUT = N_("The cell {cell} was cut in two and was joined."), N_("{count} cells were cut in two and were joined.")
SHOWN = (
    N_("The answer to {cell} was empty; a person will read the other text in the notebook."),
    N_("{count} answers were empty; a person will read the other text in the notebook."),
)
MANY = 3


class Notes:
    """What was changed in single cells."""

    def __init__(self) -> None:
        self.said: dict[tuple[str, str], list[Message]] = {}

    def say(self, what: tuple[str, str], cell: str, **values: int) -> None:
        self.said.setdefault(what, []).append(Message(what[0], {"cell": cell, **values}))

    def messages(self) -> list[Message]:
        """Return a sentence for each cell, but a single one for all cells of which the same is true."""
        return [
            message
            for (_, of_many), each in self.said.items()
            for message in (each if len(each) <= MANY else [Message(of_many, {"count": len(each)})])
        ]
