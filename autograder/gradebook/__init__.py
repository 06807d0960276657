"""A class's marks: new and changed submissions are examined, and nbgrader keeps the gradebook.

Grading
    grade          `python -m autograder grade`: examines in parallel into the result store, then nbgrader writes
    task           the request that a worker gets for one notebook, and the check of its answer
    forked         what each worker process has loaded when it is forked
    cluster        a Dask cluster for the examining: unfit and lost workers are noticed
    best           chooses the attempt that counts, by the tests' points
    secret         the course's secret, from which the inputs of hidden tests are drawn
    state          which submissions are graded, and what feedback was made from; the course's lock
    summary        the progress of a run, and its result
    trouble        errors that concern the whole course (a full disk, a lost database) as one sentence

nbgrader's converters
    converters     nbgrader's converters, run for one student after the other; the gradebook created
    steps          our steps inside nbgrader's converters, and the configuration that puts them there
    keep, late     two of these steps: marks given by hand are kept; penalties for late work
    late_rule      the rule for late work, a line of text; late_days: a budget of days over the term
    log            reasons and flags of each student, as JSON
    entry          `configure`, which nbgrader's configuration files call
    configuration  a course's configuration, and the address of its gradebook

Pages
    pages          markdown in feedback and formgrader that cannot run; what feedback shows (templates/workbook)
    first_screen   marks and reasons with which feedback begins; the lesson's text, folded
    no_page        one sentence in place of feedback that could not be made
    attempt_page   what the tests say of an attempt that does not count
    beside         what formgrader shows beside an answer: question, model answer and points, the student's figures
    formulas       formulas of these pages as MathML, without a script

The class and its marks
    books          reads marks from nbgrader's gradebook; brings extensions and penalties up to date
    roll           the class of a lesson: students.csv joined with what was granted, handed in and earned
    ledger         the ledger of marks: a line for each change, who, when, with what, from, to, why
    history        `workbook history`: the ledger of a student, in sentences
    restore        `workbook restore`: a lost gradebook is put back, marks by hand are booked again from the ledger
    regrades       regrade requests: rows of regrades.csv
    appeals        what students ask about their marks becomes such rows
    copies         copies of the gradebook; a lost one is not replaced in silence
    table          `nbgrader export`, with a warning that names excused students, to whom it gives marks

Opening, collecting, giving back
    opening        `workbook open`: all that is to be done before students can begin
    doors          proves a course's own lesson as students and the grader will run it; as_a_student is a script of it
    again          `workbook new --from`: a course of an earlier term, with its dates moved
    collecting     `workbook collect`: the exchange and archives, whichever are there
    watching       `workbook watch`: each hand-in is graded when it comes, and given back
    release_assignment  refuses to release an older lesson or another language than the course's
    release_feedback    releases feedback to those who handed in by the exchange

`state`, `secret`, `task`, `log` and `summary` import nothing heavy; `entry` and `grade` import heavy modules only
inside functions. nbgrader's own commands reach this package through `entry.configure` alone: `nbgrader_config.py` and
the configuration that `install` writes call it.
"""
