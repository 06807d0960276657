"""What instructors and authors make before students hand in: courses, and every generated file.

    new                     a course's folder; the command `workbook` and nbgrader's guard in an environment
    sources                 the instructors' notebooks in a course
    build                   every generated file, or what differs from its source
    made                    a lesson's files for students: answers, messages, data
    edits                   edits of an instructors' notebook: brought into the lesson's text, never lost
    outlines                a lesson's questions in order, for its last cell
    catching                which mistakes show in each case that a student may choose
    ordering                the lines of gaps that the stuck may put in order, where a course allows it
    small_cases             the small cases that a failed check draws: numbers that show each mistake best
    lookalikes              refuses mistakes that a check or exam cannot tell apart, unless one sentence fits them all
    mutants                 the answers of students who make the known mistakes; refuses a mistake that cannot be made
    catalogues, shown       every text that students may read -> the translators' catalogues, and their state
    faithful                whether a translation keeps its original's formulas, code, links and placeholders
    glossary, fonts         a translation's terms in English; small fonts for the letters of its figures
    own                     brings the generated files of a course's own lessons up to date
    apart                   own lessons' files run in a process with limits; what is wrong, with file and line
    bundle, carried         what students get: a zip of modules and lessons; lessons that carry their modules
    requirements            the packages that all this needs, for pip and for conda

No module here knows of submissions or marks.
"""
