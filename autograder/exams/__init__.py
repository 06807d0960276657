"""The hidden tests, one module a lesson: the public checks' tests with fresh seeds, and more.

Instructors only. An exam is a `utils.checks.question.Question`; its answers are computed when it is sat.
"""
