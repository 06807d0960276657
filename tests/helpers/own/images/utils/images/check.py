"""The public checks of the lesson on edges."""

from utils.checks.check import Check

grey = Check("grey", title="Grey", sizes={"H": 7, "W": 5})
edges = Check("edges", title="Edges", sizes={"H": 5, "W": 7})


@grey.test("a coloured picture")
def coloured(probe, grey):
    return grey(probe.uniform(probe["H"], probe["W"], 3).numpy())


@edges.test("where the edges are")
def where(probe, edges):
    return edges(probe.normal(probe["H"], probe["W"]).numpy(), 0.7)
