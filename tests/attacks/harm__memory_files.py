"""Take memory in files that have no name. The call is denied."""
# quick

import os

hoard = []
for number in range(200):
    hoard.append(os.memfd_create(str(number)))
    os.write(hoard[-1], bytes(10**8))
    print("LEAK: memory without limit")
