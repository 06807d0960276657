"""Starts the warm parent: `python -m autograder_sandbox CONTROL SECRETS`, see `main.py`."""

import gc

if __name__ == "__main__":
    gc.disable()  # nothing loaded here is garbage; collecting would take a seventh of the start
    from .main import main

    main()
