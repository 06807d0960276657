"""A small case for neighbours."""

from utils.checks.engine.cases import CaseBook

BOOK = CaseBook({"H": "row {number}", "W": "column {number}"})


@BOOK.case("neighbours", "H W", "4 4")
def small_world(small, neighbours):
    world = small.numbers("world", "H W", 2).long()
    small.show("neighbours", small.call(neighbours, world), "H W")
