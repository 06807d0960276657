"""Starts the warm parent: `python -m autograder_sandbox CONTROL SECRETS`, see `main.py`."""

import gc

if __name__ == "__main__":
    gc.disable()  # of all that is loaded now nothing is garbage: to look for it would be a seventh of the start
    from . import light_torch

    with light_torch.loaded_quickly():
        from .main import main

    main()
