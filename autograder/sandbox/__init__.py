"""Where student code runs: a warm parent inside bubblewrap, one sandbox forked from it per submission.

    host (trusted)         launch.py    launches the parent, in advance if a command will surely need it
                           parent.py    starts the parent; opens a session for each submission
                           session.py   the examiner's requests: run a cell, open a question, fetch a value
                           states.py    the chain of states, each forked from the one before; going back to one
                           watch.py     enforces the limits of the current step from outside
                           channel.py   bounded frames, each with its sending process
      bwrap: no network, read-only system, nothing of the course in sight (bubblewrap.py)
        parent (trusted)   inside/main.py       has loaded all that lessons import; forks, never runs student code
          init (pid 1)     inside/enclosure.py  own user, mount, pid, network and ipc namespaces, private scratch
            state          inside/state.py      runs cells; forks for each question, so that a hang costs only that one

`inside/operations.py` lists what crosses the border, `inside/wire.py` its form: bounded JSON and numbers, never pickle,
never code from inside. `limits.py` says what a submission may use, `errors.py` how a request ends without an answer.
`processes.py` reads /proc. `container.py` provides Linux and bubblewrap where they are missing.
"""
