"""The environment variables that the instructors' side obeys."""

# Where results are kept; the folder can be deleted at any time.
STORE_FOLDER = "ATTENTION_WORKBOOK_STORE"
# The course that is graded, which no sandbox may see wherever it lies; set by whoever grades it.
COURSE_FOLDER = "ATTENTION_WORKBOOK_COURSE"
