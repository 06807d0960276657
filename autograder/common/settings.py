"""The environment variables that the instructors' side obeys."""

# Where results are kept; the folder can be deleted at any time.
STORE_FOLDER = "ATTENTION_WORKBOOK_STORE"
