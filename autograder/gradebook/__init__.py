"""A class's marks: what is new is examined, nbgrader keeps the books, instructors read the reports.

    grade         `python -m autograder grade`: fills the result store in parallel, then has nbgrader write
    converters    nbgrader's converters, student by student; the gradebook made, read and protected
    steps         our steps inside nbgrader's converters, put there by `configure`
    pages         markdown in feedback and formgrader that cannot run
    report        what is shown in the terminal: progress, marks with reasons, questions
    state         what is graded already; the course's lock
    log           reasons and flags by student, as JSON
    summary       what a run tells while it goes on and at its end

    report -> converters -> steps -> log        grade -> converters, state        all -> summary, log

`state`, `log`, `summary` and, until there is something to do, `grade` import nothing heavy. nbgrader's own commands
come in by `steps` alone: `nbgrader_config.py` calls `configure`.
"""
