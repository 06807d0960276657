"""The modules that the lessons, their checks and the hidden tests call.

Students receive this folder whole. It holds no solutions: what a student is to write stands here as a
scaffold that raises `NotImplementedError`, and everything around it works with the student's classes.
"""
