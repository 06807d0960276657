"""The instructors' side: builds the lessons, takes in submissions, runs them in a sandbox, examines and reports.

A lesson's text becomes everything else:

    source/LESSON.py -> lesson (text, release, translation) -> course (build, catalogues) -> release/, notebooks/

A submission's bytes become marks:

    submitted/STUDENT/LESSON/  or  an archive of a learning platform, or the exchange
      -> intake      any bytes -> a notebook that can be graded, or a refusal in one sentence
      -> examine     that notebook -> verdicts: its cells run in the sandbox, its exams are sat, values are compared
           sandbox     where student code runs; values come out, code and files do not
           exams       the hidden tests, and the reference solution that their answers come from
           mistakes    the known mistakes, which the verdicts name
      -> gradebook   verdicts -> nbgrader's gradebook.db, autograded/, feedback/
      -> reports     what the gradebook says of a class: tables, a page, exports

`demo` grades a made-up class, `site` makes pages of lessons and docs. `speed` shortens the start of a command, `common`
is what every stage uses. A package imports only those that stand below it; `pyproject.toml` holds that as a contract,
`lint-imports` checks it:

    commands > demo | site > reports > gradebook > examine | course > speed > sandbox | intake > exams > mistakes
    > lesson > common

`python -m autograder --help` lists the commands. Nothing here is shipped to students.
"""

from autograder.speed.formats import leave_out_formats

leave_out_formats()
