"""The command line of bubblewrap: which files of this computer the warm parent sees, and which rights it keeps."""

import json
import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from jupyter_core.paths import jupyter_config_path

from autograder.common.course import Course
from autograder.common.errors import SandboxError
from autograder.common.paths import ROOT
from utils.common.messages import N_, Message
from utils.common.progress import REHEARSAL_VARIABLE

HERE = Path(__file__).parent
SYSTEM = Path("/usr")
EXCHANGE = Path("/usr/local/share/nbgrader")  # nbgrader's default place for submissions
# matplotlib would read all fonts of the system at the first figure, which takes seconds if there are thousands; it
# brings its own.
FONTS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
ONE_THREAD = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
# The alternative to bubblewrap, for the error messages below.
IN_A_CONTAINER = N_(
    "with Podman or Docker, `python -m autograder grade` uses a container by itself, and for nbgrader's own command, "
    "type: python -m autograder container nbgrader autograde LESSON"
)


def bubblewrap() -> str:
    """Return bubblewrap's path. Raises: SandboxError with the line to type."""
    if sys.platform != "linux":
        raise SandboxError(
            "Student code runs in a sandbox that needs Linux; {in_a_container}. Without them, grade in a Linux virtual "
            "machine (on Windows: WSL).",
            in_a_container=Message(IN_A_CONTAINER),
        )
    path = shutil.which("bwrap")
    if not path:
        raise SandboxError(
            "Student code runs in bubblewrap, which is not installed; type: sudo apt-get install bubblewrap "
            "(Fedora: sudo dnf install bubblewrap). Or {in_a_container}.",
            in_a_container=Message(IN_A_CONTAINER),
        )
    return path


def shown_places() -> list[Path]:
    """Return the folders of this Python, under the names that Python itself uses; only they and the system are seen."""
    return list(dict.fromkeys(map(Path, (sys.prefix, sys.base_prefix))))


def hidden_places(course: Course) -> list[Path]:
    """Return the folders below shown ones that must be covered: students must not see them, or do not need them."""
    secret = [ROOT, course.folder, Path.cwd(), Path(sysconfig.get_paths()["purelib"], "autograder"), EXCHANGE, *FONTS]
    secret += [Path(place) for place in jupyter_config_path()]
    hidden = []
    for place in (path.resolve() for path in secret if path.is_dir()):
        for shown in (SYSTEM, *shown_places()):  # these may be links
            if place != shown.resolve() and place.is_relative_to(shown.resolve()):
                hidden.append(shown / place.relative_to(shown.resolve()))
    return [place for place in dict.fromkeys(hidden) if place not in shown_places()]


def laid_over(target: str, folders: list[Path]) -> Iterator[str]:
    """Yield the options by which the sandbox sees folders as one; where several have a file, the last one's."""
    yield from ("--dir", target)
    for name in sorted({path.name for folder in folders for path in folder.iterdir()} - {"__pycache__"}):
        paths = [folder / name for folder in folders if (folder / name).exists()]
        if len(paths) > 1 and all(map(Path.is_dir, paths)):
            yield from laid_over(f"{target}/{name}", paths)
        else:
            yield from ("--ro-bind", str(paths[-1]), f"{target}/{name}")


def bwrap_command(control: int, course: Course) -> list[str]:
    """Return the command that starts the warm parent, whose socket to the host is descriptor `control`."""
    command = [bubblewrap(), "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    command += ["--unshare-cgroup-try"]
    # As root, the warm parent keeps its rights and makes each session run as `nobody`. Others need a user namespace.
    command += ["--cap-add", "ALL"] if os.getuid() == 0 else ["--unshare-user"]
    command += ["--die-with-parent", "--new-session", "--clearenv"]
    for folder in ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32"):
        if os.path.islink(folder):
            command += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            command += ["--ro-bind", folder, folder]
    for name in ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "fonts", "alternatives", "mime.types"):
        command += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    command += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/scratch"]
    shown, hidden = shown_places(), hidden_places(course)
    for place in sorted({*shown, *hidden}, key=lambda place: len(place.parts)):  # outer folders first
        if place in hidden:
            command += ["--tmpfs", str(place)]
        elif not place.is_relative_to(SYSTEM) or any(place.is_relative_to(other) for other in hidden):
            for parent in reversed(place.parents[:-1]):  # bwrap itself would make them readable by root alone
                command += ["--dir", str(parent)]
            command += ["--ro-bind", str(place), str(place)]
    for place in hidden:
        command += ["--remount-ro", str(place)]
    command += ["--dir", "/workbook"]
    if course.adds:
        command += laid_over("/workbook/utils", [ROOT / "utils", course.utils])
    else:
        command += ["--ro-bind", str(ROOT / "utils"), "/workbook/utils"]
    command += ["--ro-bind", str(HERE / "inside"), "/workbook/autograder_sandbox"]
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": "/scratch",
        "TMPDIR": "/scratch",
        "LANG": "C.UTF-8",
        "PYTHONPATH": "/workbook",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "PYTHONHASHSEED": "0",
        "MPLCONFIGDIR": "/tmp",
        "IPYTHONDIR": "/tmp",
        "XDG_CACHE_HOME": "/tmp",
        "TORCHDYNAMO_DISABLE": "1",  # torch.compile then returns the function itself
        "ATTENTION_WORKBOOK_DATA": "/scratch",
        REHEARSAL_VARIABLE: "1",
        **dict.fromkeys(ONE_THREAD, "1"),
    }
    for name, value in environment.items():
        command += ["--setenv", name, value]
    command += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/"]
    folders = {"hidden": hidden, "allowed": shown, "searched": shown}  # `inside/look.py` reads them
    as_json = json.dumps({name: list(map(str, places)) for name, places in folders.items()})
    return [*command, sys.executable, "-m", "autograder_sandbox", str(control), as_json]
