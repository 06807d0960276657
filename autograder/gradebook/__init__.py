"""A class's marks: what is new is examined, nbgrader keeps the books.

    grade         `python -m autograder grade`: fills the result store in parallel, then has nbgrader write
    cluster       a Dask cluster for it: workers asked first, lost ones noticed
    converters    nbgrader's converters, student by student; the gradebook made, read and protected
    entry         where nbgrader's own commands come in: what configurations call
    steps         our steps inside nbgrader's converters, put there by `configure`
    keep, late    two of these steps: marks by hand that stay, what late work costs
    pages         markdown in feedback and formgrader that cannot run; the words of feedback (templates/workbook)
    beside        what formgrader shows beside an answer: question, model answer and points, the student's figures
    formulas      formulas of these pages as MathML, without a script
    release_assignment  what is handed out is in the course's language, and the lesson as it is now
    release_feedback  the exchange's way back, for those who can fetch it
    configuration     a course's configuration and gradebook's address
    books         nbgrader's gradebook, read; extensions and penalties renewed
    trouble       a full disk or a lost database, in one sentence
    state         what is graded, and what feedback was made from; the course's lock
    log           reasons and flags by student, as JSON
    summary       what a run tells while it goes on and at its end

    books -> configuration -> steps -> keep, late, pages -> formulas; log
    nbconvert -> beside
    grade -> cluster, converters -> books, state         all -> summary, trouble

`state`, `log`, `summary` and, until there is something to do, `entry` and `grade` import nothing heavy. nbgrader's own
commands come in by `entry` alone: `nbgrader_config.py`, and what `install` writes, call its `configure`.
"""
