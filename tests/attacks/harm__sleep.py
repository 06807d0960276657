"""Sleep for an hour. The cell is stopped, the rest goes on."""

import time

time.sleep(3600)
