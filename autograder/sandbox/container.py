"""Grading where this computer has no bubblewrap: the same grader, in a Linux container of Podman or Docker.

The container brings Linux, bubblewrap and Python, and nothing else: the sandbox and its limits inside are
the same code as outside. The workbook and the course are mounted at their own places, so that every path means the
same; without network, and without any other folder of this computer. `Containerfile` says how the image is made.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from autograder.common.errors import ContainerError, SandboxError
from autograder.common.paths import ROOT
from autograder.common.sentences import T_
from autograder.common.settings import IN_CONTAINER, STORE_FOLDER
from autograder.sandbox.bubblewrap import ONE_THREAD, bubblewrap
from utils.common.messages import N_, Message

# How to ask each engine whether it runs rootless (root in a container is the user outside), and the mark of a yes.
ROOTLESS = {"podman": ("{{.Host.Security.Rootless}}", "true"), "docker": ("{{.SecurityOptions}}", "name=rootless")}
# bubblewrap's first steps: new namespaces, and a /proc for them.
TRIAL = ("--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "true")
# Options that allow what bubblewrap needs: new namespaces (forbidden by Docker's seccomp profile), mounts (by AppArmor
# and SELinux), and an unmasked /proc, because the kernel mounts no fresh /proc beside a masked one.
NEEDED = ("apparmor=unconfined", "label=disable")
NEEDED_OF = {"podman": ("unmask=ALL",), "docker": ("systempaths=unconfined", "seccomp=unconfined")}
# As root, the grader starts sandboxes without a user namespace and makes each run as `nobody`. It needs these rights
# for that, and to measure and end the sandboxes; the last two are for files of other users. No other process keeps a
# right.
ROOT_RIGHTS = ("SYS_ADMIN", "NET_ADMIN", "SETUID", "SETGID", "SYS_PTRACE", "KILL", "DAC_OVERRIDE", "FOWNER")
# Limits of the whole container, around the sandbox's own: a worker and its submission use less than 4 GiB a core, and a
# submission at most 64 processes besides the grader's.
BYTES_PER_CORE = 4 * 2**30
PROCESSES = 4096
# The engines' exit status when the command could not be started.
ENGINE_FAILED = 125
NOT_SHARED = 3


@dataclass(frozen=True)
class Engine:
    """Podman or Docker, found and answering."""

    name: str
    rootless: bool


def instead(arguments: list[str], course: Path, *others: Path) -> None:
    """Continue as `python -m autograder ARGUMENTS` in a container if this computer has no sandbox; otherwise return.

    Raises: ContainerError.
    """
    if IN_CONTAINER in os.environ or sys.platform == "win32" or not (why := missing()) or not (engine := find_engine()):
        return
    goes_on = N_("{why}; grading goes on in a Linux container of {engine}.")
    print(T_(goes_on, why=T_(why), engine=engine.name.capitalize()), file=sys.stderr)
    run(engine, ["python", "-m", "autograder", *arguments], course, *others)


def missing() -> str:
    """Return what this computer lacks for the sandbox, or an empty text."""
    if sys.platform != "linux":
        return N_("This computer does not run Linux")
    try:
        command = [bubblewrap(), *TRIAL]
    except SandboxError:
        return N_("bubblewrap is not installed here")
    return N_("bubblewrap may not make namespaces here") if ask(command).returncode else ""


def ask(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command and capture its answer. The minute allows for an engine that is just starting."""
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, ENGINE_FAILED, "", "no answer in a minute")


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no reason given"])[-1]


def find_engine() -> Engine | None:
    """Return the first engine that answers; None when none is installed. Raises: ContainerError."""
    silent = None
    for name, (question, sign) in ROOTLESS.items():
        if shutil.which(name):
            done = ask([name, "info", "--format", question])
            if done.returncode == 0:
                return Engine(name, sign in done.stdout)
            about = {"engine": name.capitalize(), "reason": last_line(done.stderr)}
            silent = silent or Message(N_("{engine} is installed but does not answer ({reason})"), about)
    if silent:
        raise ContainerError(
            "{silent}; start it (Docker Desktop, `podman machine start`, or `sudo systemctl start docker`), then type "
            "the same command again. On Linux, bubblewrap alone is enough.",
            silent=silent,
        )
    return None


def require_engine() -> Engine:
    """Return the engine. Raises: ContainerError, also if there is none, or if it is not needed."""
    if IN_CONTAINER in os.environ:
        raise ContainerError("You are in the container already; type just the command.")
    if sys.platform == "win32":
        raise ContainerError(
            "On Windows, type this in WSL; bubblewrap can be installed there, and no container is needed."
        )
    if not (engine := find_engine()):
        raise ContainerError(
            "Neither Podman nor Docker is installed, so there is nothing to run a container; install one of them, or, "
            "on Linux, type: sudo apt-get install bubblewrap (Fedora: sudo dnf install bubblewrap)."
        )
    return engine


def sources() -> list[str]:
    """Return the files that the image is built from: `Containerfile`, and what it copies."""
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()
    return ["Containerfile", *(name for line in lines if line.startswith("COPY ") for name in line.split()[1:-1])]


def image_name() -> str:
    """Return the image's name, which contains a hash of the files that it is built from."""
    content = b"\0".join((ROOT / name).read_bytes() for name in sources())
    return f"attention-workbook-grader:{hashlib.sha256(content).hexdigest()[:12]}"


def has_image(engine: Engine) -> bool:
    return ask([engine.name, "image", "inspect", image_name()]).returncode == 0


def build_image(engine: Engine) -> None:
    """Build the image, with the engine's progress shown. Raises: ContainerError."""
    print(T_("Making the container's image, once; this takes some minutes and needs the network."), file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:  # the engine receives this folder whole, and nothing else
        for name in sources():
            shutil.copy(ROOT / name, folder)
        command = [engine.name, "build", "--tag", image_name(), "--file", str(Path(folder, "Containerfile")), folder]
        # Progress goes to stderr, so that a program that reads stdout sees only the command's output.
        if subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode:
            raise ContainerError(
                "{engine} could not make the container's image, the lines above say why; it needs the network once, "
                "for Docker Hub, Debian, PyPI and PyTorch. Nothing was graded.",
                engine=engine.name.capitalize(),
            )


def start_command(engine: Engine, folder: Path, *others: Path) -> list[str]:
    """Return the command line that starts a container in `folder`, up to the image's name. Raises: ContainerError."""
    command = [engine.name, "run", "--rm", "--network", "none"]
    command += ["--memory", str(BYTES_PER_CORE * (os.cpu_count() or 1)), "--pids-limit", str(PROCESSES)]
    command += ["--cap-drop", "ALL"]
    for option in ("no-new-privileges", *NEEDED, *NEEDED_OF[engine.name]):
        command += ["--security-opt", option]
    # In both cases the written files belong to the caller: with a rootless engine, root inside is the caller outside.
    if engine.rootless or os.getuid() == 0:
        for right in ROOT_RIGHTS:
            command += ["--cap-add", right]
    else:
        command += ["--user", f"{os.getuid()}:{os.getgid()}"]
    variables = {IN_CONTAINER: "1", "PYTHONPATH": str(ROOT), "HOME": "/tmp", "USER": "grader"}
    variables |= {name: os.environ[name] for name in ONE_THREAD if name in os.environ}
    if store := os.environ.get(STORE_FOLDER):
        others += (Path(store).resolve(),)
        variables[STORE_FOLDER] = str(others[-1])
    for name, value in variables.items():
        command += ["--env", f"{name}={value}"]
    for path in dict.fromkeys((ROOT, folder, *others)):
        if set(str(path)) & set(',"\n\r'):  # students name the files that they hand in
            raise ContainerError(
                "The name {name} has a comma, a quotation mark or a line end, which a container's options cannot "
                "contain; rename it.",
                name=ascii(str(path)),
            )
        mode = ",readonly" if path.is_file() else ""
        command += ["--mount", f"type=bind,source={path},target={path}{mode}"]
    return [*command, "--workdir", str(folder)]


def run(engine: Engine, command: list[str], course: Path, *others: Path) -> NoReturn:
    """Become `command`, run in a container that sees the workbook, the course and `others`. Raises: ContainerError."""
    if not course.is_dir():
        raise ContainerError("There is no folder {folder}; name the course's folder.", folder=course)
    if store := os.environ.get(STORE_FOLDER):
        Path(store).mkdir(parents=True, exist_ok=True)
    if not has_image(engine):
        build_image(engine)
    start = start_command(engine, course, *others)
    _try_out(engine, start, course)
    if sys.stdin.isatty() and sys.stdout.isatty():
        start += ["--interactive", "--tty"]
    sys.stdout.flush()
    os.execvp(engine.name, [*start, image_name(), *command])


def _try_out(engine: Engine, start: list[str], course: Path) -> None:
    """Start a container that checks whether grading can work in it. Raises: ContainerError."""
    look = f'for folder; do test -w "$folder" || exit {NOT_SHARED}; done; exec bwrap {" ".join(TRIAL)}'
    done = ask([*start, image_name(), "sh", "-c", look, "sh", str(ROOT), str(course)])
    if done.returncode == 0:
        return
    named = engine.name.capitalize()
    about = {"engine": named, "reason": last_line(done.stderr)}
    if done.returncode == NOT_SHARED or (done.returncode == ENGINE_FAILED and str(course) in done.stderr):
        raise ContainerError(
            "{engine}'s containers cannot write in {course} or {workbook}; share these folders with them (Docker "
            "Desktop: Settings, Resources, File sharing; Podman: `podman machine init --volume`), or move them into "
            "your home folder, which is usually shared.",
            engine=named,
            course=course,
            workbook=ROOT,
        )
    if done.returncode == ENGINE_FAILED:
        raise ContainerError("{engine} could not start the container ({reason}). Nothing was graded.", **about)
    raise ContainerError(
        "The sandbox cannot be made in a container of {engine} either ({reason}); if user namespaces are forbidden "
        "here, type: sudo sysctl kernel.unprivileged_userns_clone=1 "
        "(Ubuntu: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0).",
        **about,
    )
