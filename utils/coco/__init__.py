"""Reading the files of COCO's captioned pictures, or of others in their form, with errors that say what is wrong.

    files.py   which files there are and what each holds
    rows.py    rows of large files, read when they are indexed

`files.py` imports `rows.py`; both import `utils/common/` alone.
"""
