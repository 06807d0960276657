"""The lesson `recall`: a porter remembers guests and rooms, in a cache that grows or in a table of fixed size.

    cases.py            the small cases that a failed check draws
    check/              what each check does with your object
    drawings.py         the diagrams
    patients.py         sick models: how they are disguised, made ill and measured; patients.npz, their weights
    explorer.py         the explorer's words and its picture
    exporting.py        what its page is given
    page/               the page's ES modules
    plots.py            the figures
    costs.py            how long a question takes
    random_vectors.py   tables of random vectors, before any training
    training.py         the training loop, and the share of right answers
    model.py            the network whose memory is exchanged, and attention as one
    hotel.py            guests, rooms, and what the porter is told and asked
    made/               generated: the checks' answers and small cases, the outline, translations

A module imports only from lines below its own, and from `alive/`, `checks/`, `drawings/` and `common/`.
"""
