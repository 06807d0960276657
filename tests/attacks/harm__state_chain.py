"""Have each cell's state keep memory that the next one takes anew. All states together are one submission's."""
# keeps: any

import time

hoard = bytes(400 * 2**20)
time.sleep(30)  # stopped: from here on there is a state for each cell
