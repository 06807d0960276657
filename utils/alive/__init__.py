"""Explorers, pages that run in the browser: what all lessons' pages share, and how trained networks get into a page.

    explorer.py   the object that a lesson's `explore(...)` returns: a page over a picture, and `save` for a file
    page.py       one HTML file of modules, styles and one message; the file loads nothing else
    weights.py    trained layers as the page reads them, in half precision; an error for layers that it cannot compute
    words.py      the words that every explorer's page shows
    js/           ES modules for all lessons: numbers.js, page.js, parts.js, stages.js, strips.js, unfolded.js, walk.js;
                  a lesson's own modules are in `LESSON/page`

What: at each move, the page computes the forward pass of the lesson's networks, with the student's weights.
Why not a widget: an ordinary output works without a kernel, in a saved notebook, and in a page made from the notebook.
The page computes the lesson's formula and does not run the student's code. So each message contains a *probe*, an input
with the output of the student's own network: if the page's result differs, it says by how much, and draws nothing.

A module imports only from lines below its own, and from `utils.common`.
"""
