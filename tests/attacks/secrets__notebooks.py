"""Read any notebook on the disk. There is none, not even this one."""

import glob

for path in glob.glob("/**/*.ipynb", recursive=True):
    if "site-packages" not in path:
        print("LEAK", path)
