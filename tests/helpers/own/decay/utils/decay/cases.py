"""Small cases for Euler's steps."""

from utils.checks.engine.cases import CaseBook

BOOK = CaseBook({"N": "quantity {number}"})


@BOOK.case("euler", "N", "2")
def two_quantities(small, euler):
    small.show("after one step", small.call(euler, small.numbers("x", "N", 4), 0.5, 1.0, 1)[1], "N")
