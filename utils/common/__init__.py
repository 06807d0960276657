"""What every other folder may use, and what uses none of them.

    errors.py     the errors that a user can mend: one clear sentence each
    messages.py   texts for students, as data, in three languages
    printable.py  a student's text without what a terminal would obey
    columns.py    lines of so many columns, of wide characters too
    progress.py   progress bars as text, and loops cut short while a submission is graded
    printing.py   what lessons print, sentences and tables, in the notebook's language
    figures.py    one look for every figure
    fonts.py      letters that this computer's fonts lack, from a small font of our own (`utils/fonts`)
    explorer.py   a figure with controls, and the same figure where no controls run
    curves.py     the losses of a training, on what is learned from and on what is not, and their curves
    devices.py    where a model computes, and on how many threads
    storage.py    where data lies on this computer
    beam.py       beam search, for captions and for translations
    bleu.py       the score that compares sentences by their shared n-grams
    notebook.py   the notebook's own file, and whether a person has it open

`messages.py` imports `notebook.py` and `printable.py`; whatever speaks to students (`errors.py`, `printing.py`,
`progress.py`, `figures.py`, `explorer.py`) imports `messages.py`, and what draws imports `figures.py`.
"""
