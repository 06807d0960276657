"""Public checks: one call a step, in under a second, saying what is right, what is wrong, where to look.

`from utils.checks import attention as check` gives one `Question` per gap of that lesson. No solution
ships here: expected values and known mistakes are numbers in `answers/`, made by the instructors' build.
"""
