"""Leave a process running. It is ended with its cell, and told."""
# quick

import subprocess

subprocess.Popen(["sleep", "3600"])
