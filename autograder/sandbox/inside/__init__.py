"""The part of the grader that student code can see: this folder is mounted into the sandbox, and no other.

    main.py        the warm parent; __main__.py starts it; warm.py warms up Python and torch for all sessions
    enclosure.py   shuts a session in: namespaces, scratch folder, limits, rights; filter.py: system calls
    state.py       the student's process: answers requests
    look.py        searches for secrets that the sandbox must not show
    shell.py       IPython without a kernel; compat.py: internals of IPython and the kernel that are used
    elsewhere.py   makes harmless what a student's code expects of another computer: Colab, a GPU, questions
    light_torch.py   torch without what no lesson uses
    packages.py    hides the grader's tools, which a student's Python does not have
    operations.py  the messages and their meaning; wire.py: their form (both ends import these two)

Inside, its name is `autograder_sandbox`, so that no package `autograder` has to be visible there.
"""
