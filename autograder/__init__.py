"""The instructors' side: builds the lessons, takes in submissions, runs them in a sandbox, examines and reports.

A lesson's text becomes everything else:

    source/LESSON.py -> lesson (text, release, translation) -> course (build, catalogues) -> release/, notebooks/

A submission's bytes become marks:

    submitted/STUDENT/LESSON/  or  an archive of a learning platform, or the exchange
      -> intake      any bytes -> a notebook that can be graded, or a refusal in one sentence
      -> examine     that notebook -> verdicts: its cells run in the sandbox, its exams are run on them, values compared
           sandbox     where student code runs; values come out, code and files do not
           exams       the hidden tests, and the reference solution that their answers come from
           mistakes    the known mistakes, which the verdicts name
      -> gradebook   verdicts -> nbgrader's gradebook.db, autograded/, feedback/
      -> marking     the page on which people mark essays; `essays` keeps their marks beside the gradebook
      -> lti     a learning platform's roster, and its gradebook
      -> reports what the gradebook says about a class: tables, a page, exports

`commands` is the command line. `demo` grades a made-up class, `site` makes pages of lessons and docs. `speed` shortens
the start of a command, `common` is what every stage uses. A package imports only those of a lower layer: the contract
"A stage knows only those before it" in `pyproject.toml` lists the layers, and `lint-imports` checks it.

`python -m autograder --help` lists the commands. Nothing here is shipped to students.
"""

from autograder.speed.formats import leave_out_formats

leave_out_formats()
