"""Shows the gradebook's marks of a class to people and to other systems; nothing here changes a mark.

terminal     tables in the terminal: progress while grading, one notebook, questions, status
after_grading  the output of `grade`: new marks with reasons, the class in a few lines, what needs a person
report       the class's marks question by question, as data and as a page (templates/report.html.j2)
similarity   pairs of similar submissions, for the report
status       how many students are at each stage: collected, graded, waiting, feedback returned
export       marks as campus systems import them
worksheet    Moodle's grading worksheet with the marks in it
spreadsheet  a table as the Excel of a language opens it
words        a page from a template, which contains its texts, in the course's language
term         each student over all lessons, with a total by weights (templates/term.html.j2)
give_back    feedback as a zip for a platform, or as a folder for mail
own_attempts a page of JupyterHub: a student's own attempts (templates/own_attempts.html.j2); needs the extra `hub`

after_grading -> terminal -> report -> similarity         terminal -> status
"""
