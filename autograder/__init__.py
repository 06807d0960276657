"""The instructors' side: builds the lessons, runs submissions in a sandbox, examines and reports.

`python -m autograder --help` lists the commands. Nothing here is shipped to students.
"""
