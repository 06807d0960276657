"""The page on which people mark essays, one question at a time: an extension of the Jupyter server beside formgrader.

    question    one question of a class: its answers with their marks; saving, undoing, changing the rubric
    book        the question's marks in nbgrader's gradebook; how many answers wait
    answers     the answers, read from autograded notebooks and rendered
    serve       `workbook mark`: a Jupyter server that opens the page
    view        the page's content, as data for its script; how far two graders agree
    markers     several markers: shares, answers handed on, notes; a marker's server
    handlers    the addresses `/essays/…` of the Jupyter server
    extension   what the Jupyter server loads; the link in formgrader
    templates, static    the page, its style, its script
    lab         the card in JupyterLab's launcher

`workbook install` makes an environment's Jupyter server load `extension`, and its JupyterLab load `lab`.
"""
