"""The lessons' diagrams, drawn by code: SVG in the notebook's language, with alternative text.

| module | what |
| --- | --- |
| `attention` | queries, keys and values; a convolution's horizon beside attention's reach; positions as channels |
| `captioning` | heads as an axis; scaled dot products; what a causal mask hides; and from `decoder`: |
| `decoder` | one layer of the captioning Transformer's decoder; the whole model |
| `seq2seq` | one vector; attention; one step of the decoder; teacher forcing |
| `gpt` | a block and its stream; turned hands; the whole model; an induction head; a step with a cache; shared keys |
| `lesson` | what a student does with the cells of every lesson |
| `canvas` | boxes, arrows, grids and labels as SVG, which IPython shows; one colour for each thing in all drawings |
| `label` | words with formulas, measured without a font |
| `words` | an empty canvas, and texts in the notebook's language |

The module named after a lesson has a function for each of its diagrams. The argument `language` is for tests; by
default a diagram is in the notebook's language.
"""
