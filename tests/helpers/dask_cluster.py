"""A Dask cluster of processes; a test chooses the folder and the environment of each process."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

WORKERS = "ignore::Warning"  # Dask warns while it connects and closes
WITHOUT = "Dask is not installed; it is in the extra `cluster`"


class Cluster:
    """A scheduler and workers, ended by `close`."""

    def __init__(self, folder: Path):
        pytest.importorskip("dask.distributed", reason=WITHOUT)
        self.folder, self.file = folder, folder / "scheduler.json"
        self.running: list[subprocess.Popen] = []
        self.start(folder, {}, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        while not self.file.exists() or not self.file.read_text().strip():
            time.sleep(0.1)
        self.address = json.loads(self.file.read_text())["address"]

    def start(self, folder: Path, variables: dict[str, str], kind: str, *options: str) -> subprocess.Popen:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | variables
        command = [sys.executable, "-m", "dask", kind, "--scheduler-file", str(self.file), *options]
        with (self.folder / f"{kind}-{len(self.running)}.log").open("w") as log:
            self.running.append(subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log))
        return self.running[-1]

    def worker(self, **variables: str) -> subprocess.Popen:
        """Start a worker in a folder that is not the workbook's."""
        store = {"ATTENTION_WORKBOOK_STORE": str(self.folder / "store"), "OMP_NUM_THREADS": "1"}
        return self.start(self.folder, store | variables, "worker", "--nthreads", "1", "--no-nanny", "--no-dashboard")

    def close(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()
