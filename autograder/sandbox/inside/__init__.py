"""What student code can see of the grader: this folder is mounted whole into the sandbox, and nothing else of it.

    main.py        the warm parent; __main__.py starts it; warm.py: what it does once for all
    enclosure.py   shuts a session in: namespaces, scratch folder, limits, rights; filter.py: system calls
    state.py       the student's process: answers requests
    look.py        the first sandbox looks whether anything is in sight that must not be
    shell.py       IPython without a kernel; compat.py: what of IPython and Python is reached into
    light_torch.py   torch without what no lesson uses
    packages.py    what a student's Python lacks is not there
    operations.py  what crosses and what it means; wire.py: its form (both ends import these two)

It is imported as `autograder_sandbox` in there, so that nothing of `autograder` has to be.
"""
