"""Nodes made and copied by ourselves are what nbformat would make and copy."""

import nbformat

from autograder.common.nodes import as_node


def test_a_node_is_what_nbformat_makes_and_shares_nothing():
    plain = {"a": {"b": [1, "x", {"c": (1, {"d": None})}]}, "e": []}
    made = as_node(plain)
    assert made == nbformat.from_dict(plain)
    assert made.a.b[2].c[1].d is None
    again = as_node(made)
    made.a.b[2].c[1].d = made.e = 5
    assert again == nbformat.from_dict(plain)
