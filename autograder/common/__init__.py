"""What every stage uses; none of these modules knows of a stage.

    paths        where the workbook is; opening a file that is not trusted; writing a file whole or not at all
    course       a course and the folders of its lessons; the workbook is a course, too
    errors       the instructors' errors, all in one place
    sentences    the instructor's sentences, in the course's language
    nodes        nbformat's nodes, with types
    toml         files in TOML, in every Python
    times        dates that people write, in a time zone
    course_file  a course's `course.toml`: titles, scale, points, order of lessons, time zone
    compat       the places where we reach into nbgrader, each with its reason
    settings     the environment variables that are obeyed
    keyed        numbers that nobody computes who lacks the course's secret
    version      the workbook's version, which is recorded with marks

All but `nodes` and `compat` load nothing heavy (no nbformat, no nbgrader, no torch), so that a command with nothing to
do ends at once. Nothing here imports another package of `autograder`; of `utils`, only the errors, the messages, the
version and the folders of lessons are imported.
"""
