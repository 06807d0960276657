"""The door between two submissions that are examined at the same time: thirteen tries, all shut."""

import pytest

# What a neighbour has open while the others knock: files, a name and a port to connect to, a lock, shared memory.
NEIGHBOUR = """\
import fcntl, os, socket
from multiprocessing import shared_memory
open("/scratch/left", "w").write("answers")
open("/dev/shm/left", "w").write("answers")
name = socket.socket(socket.AF_UNIX)
name.bind("\\0neighbour")
name.listen()
port = socket.create_server(("127.0.0.1", 40404))
lock = open("/scratch/lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
os.setpgid(0, 0)
"""
# Each says True where it reaches something; an error means that it does not.
TRIES = {
    "a file in the scratch folder": "import os; found = os.path.exists('/scratch/left')",
    "a file in shared memory": "import os; found = os.path.exists('/dev/shm/left')",
    "a file anywhere that can be written": (
        "import os\nplaces = ('/tmp', '/dev', '/run', '/var')\n"
        "found = any('left' in names for top in places for _, _, names in os.walk(top))"
    ),
    "an abstract name": "import socket; socket.socket(socket.AF_UNIX).connect('\\0neighbour'); found = True",
    "a port": "import socket; socket.create_connection(('127.0.0.1', 40404), timeout=1); found = True",
    "a lock": (
        "import fcntl\nfound = False\ntry: fcntl.flock(open('/scratch/lock', 'w'), fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "except BlockingIOError: found = True"
    ),
    "another process by its number": (  # its own have small ones
        "import os\nfound = False\nfor pid in range(200, 40000):\n    try: os.kill(pid, 0); found = True\n"
        "    except ProcessLookupError: pass"
    ),
    "a handle on another process": "import os; os.pidfd_open(os.getpid() + 7); found = True",
    "/proc": "import os; found = bool(os.listdir('/proc'))",
    "inotify": (
        "import ctypes; libc = ctypes.CDLL(None, use_errno=True)\n"
        "found = libc.inotify_init1(0) >= 0 or libc.inotify_init() >= 0"
    ),
    "fanotify": "import ctypes; found = ctypes.CDLL(None).fanotify_init(0, 0) >= 0",
    "an open descriptor": (
        "import os, stat\nfound = False\nfor number in range(3, 1024):\n    try: mode = os.fstat(number).st_mode\n"
        "    except OSError: continue\n    found |= stat.S_ISREG(mode) or stat.S_ISDIR(mode)"
    ),
    "memory of another kind": "import ctypes; found = ctypes.CDLL(None).shmget(4711, 4096, 0o1666) >= 0",
}


@pytest.fixture(scope="module")
def knocking(sandbox):
    """A session beside another that is open."""
    with sandbox.session() as neighbour, sandbox.session() as session:
        assert neighbour.run_cell(NEIGHBOUR, "neighbour")["outputs"] == []
        yield session


@pytest.mark.parametrize("door", TRIES)
def test_a_submission_does_not_reach_its_neighbour(door, knocking):
    source = f"try:\n    {'    '.join(TRIES[door].splitlines(True))}\nexcept OSError:\n    found = False\nprint(found)"
    [shown] = knocking.run_cell(source, "knock")["outputs"]
    assert shown.get("text") == "False\n", shown
