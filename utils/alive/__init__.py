"""Explorers that live in the browser: the page of each lesson, and how trained networks travel into it.

    explorer.py   what a lesson's `explore(...)` returns: a page over a picture, and `save` for a file
    page.py       one HTML file of modules, styles and one message; nothing is loaded from anywhere
    weights.py    trained layers as the page reads them, in half precision; a sentence for what it cannot compute
    words.py      the words that every explorer's page shows
    js/           plain ES modules: numbers.js, page.js, parts.js and unfolded.js for all lessons, a folder for each

What: the page does the forward pass of the lesson's own networks with the student's weights, at each move.
Why not a widget: an ordinary output lives on without a kernel, in a saved notebook, and in a page made of it.
The page computes the lesson's formula, not the student's code. So each message carries a *probe*, an input with the
output of the student's own network: where the page's answer differs, it says by how much, and draws nothing.

A module imports only from lines below its own, and from `utils.common`.
"""
