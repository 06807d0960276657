"""A small case for the loss."""

from utils.checks.engine.cases import CaseBook

BOOK = CaseBook({"N": "point {number}"})


@BOOK.case("loss", "N", "2")
def two_points(small, loss, Line):
    x, y = small.numbers("x", "N", 4), small.numbers("y", "N", 4)
    small.show("loss", small.call(loss, lambda x: x, x, y))
