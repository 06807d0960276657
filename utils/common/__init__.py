"""Modules that all other folders of `utils` may import, and that import from none of these folders.

    curves.py     the training and validation losses of a training, and their curves
    figures.py    one style for every figure, and a sentence that describes it
    embedded.py   pictures in a notebook's HTML: alternative text, light or dark as the page
    fonts.py      letters that matplotlib's own font lacks, from a small font of ours (`utils/fonts`)
    kept.py       trained models, kept for a lesson's second day
    progress.py   progress bars as text, and loops that are cut short while a submission is graded
    printing.py   sentences and tables that lessons print, in the notebook's language
    optional.py   parts of a lesson that run only if the student asks for them
    guesses.py    what a student expects of a training, beside what came out, and by how much it was off
    storage.py    the folder for data on this computer
    errors.py     the errors that a user can mend: one clear sentence each
    messages.py   texts for students, as data, and their translations
    lessons.py    the lessons' packages, and the files in them that the build generates
    notebook.py   the notebook's own file, and whether a person has it open
    printable.py  a student's text without control characters
    columns.py    lines of a fixed number of columns, also of wide characters
    devices.py    a model's device, and the number of threads
    beam.py       beam search, for captions and for translations
    schedule.py   the rate at which a network learns, step by step
    muon.py       Muon, an optimiser for matrices
    bleu.py       BLEU, a score that compares sentences by the n-grams that they share

A module imports only from lines below its own.
"""
