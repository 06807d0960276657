"""The environment variables that the instructors' side obeys."""

# The folder in which results are kept; it can be deleted at any time.
STORE_FOLDER = "ATTENTION_WORKBOOK_STORE"
# Set in the container, so that a command in it never starts another container.
IN_CONTAINER = "AUTOGRADER_CONTAINER"
