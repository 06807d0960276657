"""The environment variables that the instructors' side obeys."""

# Where results are kept; the folder can be deleted at any time.
STORE_FOLDER = "ATTENTION_WORKBOOK_STORE"
# Set by `--unsafe`, or by hand for `nbgrader autograde`: submitted code runs without a sandbox.
UNSAFE = "AUTOGRADER_UNSAFE"
# Set in the container, so that what runs there never starts another one.
IN_CONTAINER = "AUTOGRADER_CONTAINER"
# The course that is graded, which no sandbox may see wherever it lies; set by whoever grades it.
COURSE_FOLDER = "ATTENTION_WORKBOOK_COURSE"
