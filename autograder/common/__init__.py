"""What every stage uses, and what knows of no stage.

    paths      where things lie; opening a file that is not trusted, and writing one whole
    errors     the instructors' errors, all in one place
    nodes      nbformat's nodes, with types
    toml       files in TOML, in every Python
    compat     where we reach into nbgrader and jsonschema, with the reason of each
    settings   the environment variables that are obeyed
    version    which workbook gives the marks

All but `nodes` load nothing heavy (no nbformat, no nbgrader, no torch): a command with nothing to do is done at
once. Nothing here imports another of the instructors' packages; of `utils`, only its errors and its version.
"""
