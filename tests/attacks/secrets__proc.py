"""Read other processes in /proc: environment, memory, open files. /proc is empty."""
# quick

import glob

for pattern in ("/proc/*/environ", "/proc/*/mem", "/proc/*/cmdline", "/proc/*/maps", "/proc/*/fd/*", "/proc/*/root/*"):
    for path in glob.glob(pattern):
        print("LEAK", path)
