"""What every stage uses; none of these modules knows of a stage.

    paths        where files lie; opening a file that is not trusted, and writing one whole
    parts        where the parts of a lesson lie, in the workbook and in a course; imports of a course's modules
    errors       the instructors' errors, all in one place
    nodes        nbformat's nodes, with types
    toml         files in TOML, in every Python
    times        dates that people write, in a time zone
    course_file  a course's `course.toml`: titles, scale, points, order of lessons, time zone
    compat       the places where we reach into nbgrader, each with its reason
    settings     the environment variables that are obeyed
    version      which workbook gives the marks

All but `nodes` and `compat` load nothing heavy (no nbformat, no nbgrader, no torch), so that a command with nothing to
do ends at once. Nothing here imports another of the instructors' packages; of `utils`, only its errors and its version.
"""
