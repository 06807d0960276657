"""Read accounts, homes, keys and logs. They are not there."""

import os

for path in ("/etc/passwd", "/etc/shadow", "/etc/hostname", "/root/.ssh", "/home", "/var/log", "/run", "/sys/class", "/sys/fs", "/boot"):
    if os.path.exists(path):
        print("LEAK", path)
