"""Wait on a pipe that nobody writes. The cell is stopped."""

import os

os.mkfifo("pipe")
open("pipe").read()
