"""Leave a process running. It is ended with its cell, and told."""

import subprocess

subprocess.Popen(["sleep", "3600"])
