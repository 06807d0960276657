"""`workbook mark LESSON`: a Jupyter server in the course's folder that opens the marking page."""

import os
import secrets
import socket
import sys
from importlib.util import find_spec

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.sentences import T_
from autograder.course.new import SERVER_EXTENSION
from autograder.marking.markers import MARKER
from utils.common.messages import N_

# Jupyter's usual port, and how many after it are tried.
PORT, PORTS = 8888, 50
AS_ROOT = N_(
    "You are root, so anyone who gets hold of this address can do everything on this computer; a separate "
    "account for the course is safer."
)


def command(lesson_name: str, port: int, *, browser: bool) -> list[str]:
    """Return the command that starts the server, without its log, and opens a lesson's page."""
    options = {"default_url": f"/essays/{lesson_name}", "open_browser": browser, "log_level": "ERROR"}
    options |= {"port": port, "port_retries": 0, "allow_root": os.geteuid() == 0}
    return [
        sys.executable,
        "-m",
        "jupyter",
        "server",
        *(f"--ServerApp.{key}={value}" for key, value in options.items()),
        "--LabApp.log_level=ERROR",
    ]


def serve(course: Course, lesson_name: str, *, browser: bool, marker: str = "") -> None:
    """Print the page's address, and replace this process by a Jupyter server in the course's folder.

    marker: for whom the server runs; it then answers with this page alone, and without names. Raises: GradingError if
    the marking page is not installed in this environment, or the course does not know the marker.
    """
    if marker and (markers := course.settings.markers) and marker not in markers:
        raise GradingError(f"course.toml has no marker {marker!r}; its markers are: {', '.join(markers)}.")
    if find_spec(SERVER_EXTENSION) is None:
        raise GradingError("This environment's Jupyter does not know the page yet; type: python -m autograder install")
    if os.geteuid() == 0 and not marker:
        print(T_(AS_ROOT))
    port = _free_port()
    # By the environment, because every account of the computer can read a command's arguments.
    token = os.environ.setdefault("JUPYTER_TOKEN", secrets.token_hex(24))
    address = f"http://localhost:{port}/essays/{lesson_name}?token={token}"
    says = N_("Marking page, until Ctrl-C: {address}")
    says = N_("Marking page of {marker}, until Ctrl-C: {address}") if marker else says
    print(T_(says, marker=marker, address=address), flush=True)
    os.environ[MARKER] = marker
    os.chdir(course.folder)
    arguments = command(lesson_name, port, browser=browser)
    os.execv(arguments[0], arguments)


def _free_port() -> int:
    """Return the first port from PORT on that is free. Raises: GradingError."""
    for port in range(PORT, PORT + PORTS):
        with socket.socket() as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                tried.bind(("localhost", port))
            except OSError:
                continue
            return port
    raise GradingError(
        "No port from {first} to {last} is free; end other Jupyter servers first.", first=PORT, last=PORT + PORTS - 1
    )
