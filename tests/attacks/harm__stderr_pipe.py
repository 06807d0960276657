"""Make the sandbox' standard error small and see whether the next submission finds it so. Each has its own."""
# quick
# flag: no

import fcntl

try:
    fcntl.fcntl(2, 1031, 4096)  # F_SETPIPE_SZ
    print("LEAK: a pipe")
except OSError:
    print("no pipe")
