"""Reading the files of COCO's captioned pictures, or files of that form, with errors that say what is wrong.

    files.py   which files there are and what each holds
    rows.py    rows of large files, read when they are indexed

`files.py` imports `rows.py`; both import only `utils/common/` besides.
"""
