"""The means to draw the lessons' diagrams: SVG in the notebook's language, with alternative text.

| module | what |
| --- | --- |
| `lesson` | the diagram that opens every lesson: how a student works with its cells |
| `canvas` | boxes, arrows, grids and labels as SVG, which IPython shows; one colour for each thing in all drawings |
| `label` | words with formulas, measured without a font |
| `words` | an empty canvas, and texts in the notebook's language |

A lesson's module of drawings has a function for each of its diagrams. The argument `language` is for tests; by default
a diagram is in the notebook's language.
"""
