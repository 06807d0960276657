"""Where student code runs: a warm parent inside bubblewrap, one sandbox forked from it per submission.

    host (trusted)         host.py     starts the parent, speaks to sessions, keeps the limits
      bwrap: no network, read-only system, nothing of the course in sight
        parent (trusted)   inside.py   has torch and the lessons' imports loaded; forks, never runs student code
          init (pid 1)                 own user, mount, pid, network and ipc namespaces, private scratch
            state                      runs cells; forks before each, so that a crash or hang loses one cell

What crosses is described in `wire.py`: JSON and safetensors, bounded, never pickle, never code from inside.
"""
