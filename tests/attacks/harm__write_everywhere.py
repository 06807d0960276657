"""Write to our modules, to Python, to the system. All is read-only but the scratch folder."""
# quick

import os
import sys

import torch
import utils

FOLDERS = (os.path.dirname(utils.__file__), os.path.dirname(torch.__file__), sys.prefix, "/", "/usr", "/etc", "/dev", "/workbook")
for folder in (*FOLDERS, "/workbook/autograder_sandbox", os.path.dirname(sys.prefix), "/root", "/home", "/var/tmp"):
    try:
        with open(os.path.join(folder, "mark.py"), "w"):
            print("LEAK: wrote to", folder)
    except OSError:
        pass
