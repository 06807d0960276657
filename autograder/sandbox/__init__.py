"""Where student code runs: a warm parent inside bubblewrap, one sandbox forked from it per submission.

    host (trusted)         launch.py    launches the parent, early where that is known to be of use
                           loading.py   loads what a command needs meanwhile
                           parent.py    starts the parent; opens a session for each submission
                           session.py   what the examiner asks: run a cell, sit a question, bring a value
                           states.py    the chain of states, each forked from the one before, and the way back
                           watch.py     the limits of the current step, kept from outside
                           groups.py    the kernel's account of its memory, where there is one
                           channel.py   bounded frames, each with its sender
      bwrap: no network, read-only system, nothing of the course in sight (bubblewrap.py)
        parent (trusted)   inside/main.py       has all imports of the lessons loaded; forks, never runs student code
          init (pid 1)     inside/enclosure.py  own user, mount, pid, network and ipc namespaces, private scratch
            state          inside/state.py      runs cells; forks for questions, so that a crash or hang loses one

What crosses is listed in `inside/operations.py`, its form in `inside/wire.py`: JSON and numbers, bounded, never
pickle, never code from inside. `limits.py` holds what a submission may use, `errors.py` how a request ends without an
answer, `processes.py` reads /proc, `container.py` brings Linux and bubblewrap where they are missing.
"""
