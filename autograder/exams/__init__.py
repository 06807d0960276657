"""The hidden tests, and the reference solution that answers are compared with. For instructors only.

    exam.py         `Exam`: the public check's tests with fresh seeds, and more
    attention.py    captioning.py    seq2seq.py    gpt.py    the exams of each lesson
    discreet.py     feedback that tells no expected value
    reference.py    the reference solution and its mutants, run when an exam needs their answers

`from autograder.exams import attention as exam` stands in the test cells of the instructors' notebooks.
"""
