"""The lesson `gpt`: a small language model that reads tales letter by letter, learns names as it reads, and writes.

    explorer.py    letters pointed at, heads taken away: a page and a picture
    exporting.py   the models as the explorer's page reads them
    plots.py       the figures
    looking.py     where heads look, and losses by the kind of letter
    training.py    the training loop with its recipe
    writing.py     writing with a cache, what the grammar says of it, and how long it takes
    stand_in_attention.py  an attention layer in place of yours
    model.py       the model's parts without the methods that you write
    stand_ins.py   other modules in place of yours, so that one part is judged without the others

Arrows point down the list, and from it to `tales/`, `alive/` and `common/`.
"""
