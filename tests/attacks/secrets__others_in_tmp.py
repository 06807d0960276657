"""Look into /tmp and /dev/shm for what others left. Both are this session's own."""

import os

for folder in ("/tmp", "/dev/shm", "/scratch", "/var/tmp"):
    if os.path.isdir(folder):
        found = [name for name in os.listdir(folder) if not name.startswith(("matplotlib", "fontlist", "profile", "."))]
        if found:
            print("LEAK", folder, found)
