"""What the lessons' diagrams are drawn with: SVG in the notebook's language, with alternative text.

| module | what |
| --- | --- |
| `lesson` | what a student does with the cells of every lesson |
| `canvas` | boxes, arrows, grids and labels as SVG, which IPython shows; one colour for each thing in all drawings |
| `label` | words with formulas, measured without a font |
| `words` | an empty canvas, and texts in the notebook's language |

A lesson's module of drawings has a function for each of its diagrams. The argument `language` is for tests; by default
a diagram is in the notebook's language.
"""
