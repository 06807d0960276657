"""Tricks that make a command start sooner and a class cost less, each with its measured price.

    saved, in CPU seconds                                                  by
    1.0 of 4.0   `grade` of one submission                                 formats.leave_out_formats
    1.2 of 4.2   `grade` of one submission                                 loading.quickly
    2.5 of 5.5   `grade` of one submission, where it makes a gradebook     gradebook.ask_alembic_here
    0.5 of 3.5   `grade --force --no-feedback` of eleven submissions       gradebook.one_engine
    no CPU time, but 15 of 23 waits for the disk for each student          gradebook.CommitsOnClose
    2.5 of 24.4  `grade` of 60 submissions of `seq2seq`                    gradebook.find_at_once
    1.4 of 1.8   reading the marks of 300 students                         gradebook.load_at_once
    1.2 of 2.2   the feedback of eight students                            pages.QuickPage
    2            an examination's first optimizer and first gradient       sandbox/inside/light_torch.py
    5.3 of 26.1  `grade` of 100 submissions of `attention`                 sandbox/inside/compat.use_huge_pages
    no CPU time, but the sandbox loads torch while the grader does         sandbox/launch.py

Measured with results in the store (all but `find_at_once`, `light_torch` and `use_huge_pages`), by leaving out one
trick at a time; tricks that saved less than a tenth were removed. The last three are in the sandbox's package because
the sandbox itself uses them.

`autograder/__init__.py` calls `leave_out_formats`, so this file and `formats` import nothing heavy.
"""
