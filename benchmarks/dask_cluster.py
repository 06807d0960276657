"""Runs an `autograder` command that examines on a local Dask cluster of two worker processes."""

import subprocess
import sys

from dask.distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        command = [sys.executable, "-m", "autograder", *sys.argv[1:], "--scheduler", cluster.scheduler_address]
        sys.exit(subprocess.run(command).returncode)
