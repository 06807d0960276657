"""Follow the installed package's path to the checkout. It ends at nothing."""

import glob
import os
import sysconfig

for path in glob.glob(os.path.join(sysconfig.get_paths()["purelib"], "*.pth")):
    for line in open(path).read().split():
        if os.path.isdir(os.path.join(line, "source")):
            print("LEAK", line)
