"""The lesson `gpt`: a small language model that reads tales letter by letter, learns names as it reads, and writes.

    cases.py                the small cases that a failed check draws
    case_stand_ins.py       modules in place of the lesson's other parts, for these
    check/                  what each check does with your object
    drawings.py             the diagrams
    explorer.py             letters pointed at, heads taken away: a page and a picture
    page/                   the explorer's page: ES modules
    exporting.py            the models as the explorer's page reads them
    plots.py                the figures
    training.py             the recipe of the lesson's training loop
    patients.py             sick models: how they are disguised, made ill and measured; patients.npz, their weights
    looking.py              where heads look, and losses by the kind of letter
    writing.py              writing with a cache, what the grammar says of it, and how long it takes
    stand_in_attention.py   an attention layer in place of yours
    model.py                the model's parts without the methods that you write
    stand_ins.py            other modules in place of yours, so that one part is judged without the others
    tales/                  tales about people with invented names, written and judged by a grammar
    made/                   generated: the checks' answers and small cases, the outline, translations

A module imports only from lines below its own, and from `alive/`, `checks/`, `drawings/` and `common/`.
"""
