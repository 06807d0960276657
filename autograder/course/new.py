"""Makes a course: a folder outside the workbook that holds the submissions, marks and feedback of a term.

A course's configuration loads the workbook's, and its `source` is made from the workbook's lessons. Many courses can
share one workbook, and none changes it.
"""

import errno
import json
import os
import re
import sys
import sysconfig
from pathlib import Path

from autograder.common.course import WORKBOOK, Course
from autograder.common.course_file import NAME as COURSE_FILE
from autograder.common.errors import CourseError
from autograder.common.paths import CONFIG_NAME, ROOT, write_whole
from utils.common.messages import LANGUAGES, N_, Message

TEMPLATES = Path(__file__).parent / "templates"
STUDENTS = "id,first_name,last_name,email,lms_user_id,names,group,track\n"
EXTENSIONS = "id,lesson,due,excused\n"
NO_EXCHANGE = '# c.Exchange.root = "/srv/nbgrader/exchange"'
# A course's name: nbgrader and the exchange make folders with it.
NAME = re.compile(r"[\w][\w.-]{0,59}")
# What `install` writes begins so, because a course may name another copy of the workbook than the installed one.
FIND = """\
import ast
import os
import re
import sys
from pathlib import Path


def find_workbook():
    \"\"\"Return the workbook that one's own course, here or above, names, else the one that was installed.\"\"\"
    here = Path.cwd()
    try:
        course = next(folder for folder in (here, *here.parents) if (folder / "nbgrader_config.py").is_file())
        config = course / "nbgrader_config.py"
        named = re.search(r"^WORKBOOK = Path\\((.*?)\\)", config.read_text(encoding="utf-8"), re.MULTILINE)
        workbook = Path(ast.literal_eval(named[1]))
        own = config.stat().st_uid == os.getuid()  # people who may write into a folder above must not choose what runs
        if own and (workbook / "autograder" / "gradebook" / "entry.py").is_file():
            return str(workbook)
    except (OSError, StopIteration, SyntaxError, TypeError, ValueError):
        pass
    return {workbook!r}


sys.path.insert(0, find_workbook())
"""
SCRIPT = f'''\
#!{{python}}
"""The workbook's commands from any folder; the course is that of the current folder."""

{FIND}
from autograder.__main__ import main  # noqa: E402

if __name__ == "__main__":  # the worker processes of `grade --jobs` import this file, and must not grade
    main(prog_name="workbook")
'''
GUARD = f"""\
# The Attention Workbook's ({{workbook}}): in whatever folder nbgrader starts, student code runs in the sandbox.
{FIND}
try:
    from autograder.gradebook.entry import configure
except ImportError:
    raise SystemExit(f"The workbook is not at {{workbook}}; delete {{{{__file__}}}} if it was removed.") from None
configure(get_config())
"""
# The card in JupyterLab's launcher; its folder below `labextensions` has the package's name.
LAB_EXTENSION, LAB_NAME = ROOT / "autograder" / "marking" / "lab", "attention-workbook-marking"
# Of this name Jupyter's server loads a module of the environment: its only task is to find the workbook.
SERVER_EXTENSION = "attention_workbook_server"
EXTENSION = f'''\
"""The Attention Workbook's page for marking essays ({{workbook}}), in this environment's Jupyter server."""

{FIND}
from autograder.marking.extension import begin as _start_jupyter_server_extension  # noqa: E402, F401
from autograder.marking.extension import load as _load_jupyter_server_extension  # noqa: E402, F401
'''


def make(folder: Path, name: str, language: str, address: str = "", exchange: Path | None = None) -> list[Path]:
    """Make a folder a course; return the files that were written. Files that exist already are left unchanged.

    Raises: CourseError for a folder that is a course, or is in the workbook, and for a name that nbgrader cannot use.
    """
    folder = folder.resolve()
    if (folder / CONFIG_NAME).exists():
        raise CourseError(
            "{folder} is a course already; edit its {file}, or name another folder.", folder=folder, file=CONFIG_NAME
        )
    if folder.is_relative_to(ROOT):
        raise CourseError(
            "{folder} is in the workbook, which no course may change; name a folder elsewhere.", folder=folder
        )
    if not NAME.fullmatch(name):
        raise CourseError(
            "A course cannot be called {name!r}; use letters, digits, dots, dashes and underscores.", name=name
        )
    if language not in LANGUAGES:
        raise CourseError(
            "There is no language {language!r}; the languages are: {names}.",
            language=language,
            names=", ".join(LANGUAGES),
        )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # students may have accounts on this computer
    written = []
    if exchange and not exchange.exists():
        exchange.mkdir(parents=True)
        exchange.chmod(0o777)  # nbgrader's exchange: every student writes into it
        written.append(exchange)
    if not os.path.lexists(folder / "source"):
        _make_source(folder)
        written.append(folder / "source")
    root = f"c.Exchange.root = {str(exchange.resolve())!r}" if exchange else NO_EXCHANGE
    values = {"name": name, "language": language, "address": address, "exchange": root, "workbook": str(ROOT)}
    values |= {"lessons": ", ".join(f"`{lesson}`" for lesson in WORKBOOK.lessons)}
    values |= {"in_toml": ", ".join(f'"{lesson}"' for lesson in WORKBOOK.lessons)}
    values |= {"activate": str(Path(sys.prefix, "bin", "activate"))}
    readme, settings = _template("README.{}.md", language), _template("course.{}.toml", language)
    files = {"README.md": _filled(readme, values), "students.csv": STUDENTS, "extensions.csv": EXTENSIONS}
    files[COURSE_FILE] = _filled(settings, values)
    # Written last, because the folder is a course once it has this file.
    files[CONFIG_NAME] = _template("nbgrader_config.{}.txt", language).format_map(values)
    for file_name, content in files.items():
        if not os.path.lexists(folder / file_name):
            write_whole(folder / file_name, content)
            written.append(folder / file_name)
    return written


def _make_source(folder: Path) -> None:
    from autograder.course.sources import write_source  # here, because it loads nbformat
    from autograder.lesson.text import lessons_of

    for lesson in lessons_of(Course(folder)):
        write_source(lesson)


def _template(name: str, language: str) -> str:
    """Return a template in a language; in English where it has not been translated."""
    path = TEMPLATES / name.format(language)
    return (path if path.is_file() else TEMPLATES / name.format("en")).read_text(encoding="utf-8")


def _filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda match: values[match[1]], text)


def ensure_configured(folder: Path) -> Path | None:
    """Write a configuration into a folder without one, so that nbgrader's own commands use the sandbox, too.

    Returns: the configuration, None if there was one already. Raises: CourseError for a folder that does not exist, or
    cannot be written.
    """
    if (folder / CONFIG_NAME).is_file():
        return None
    if not folder.is_dir():
        raise CourseError(
            "There is no folder {folder}; make a course with `python -m autograder new {folder}`.", folder=folder
        )
    name = re.sub(r"[^\w.-]+", "_", folder.name).lstrip("-._")[:60] or "course"
    try:
        make(folder, name, "en")
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise CourseError(
            "{folder} has no {file}, and none can be written ({reason}); {advice}, then run the same command again. "
            "Nothing was graded.",
            folder=folder,
            file=CONFIG_NAME,
            reason=error.strerror,
            advice=Message(N_("make room") if full else N_("make it writable")),
        ) from None
    return folder / CONFIG_NAME


def install(prefix: Path) -> list[Path]:
    """Write into a Python environment the command `workbook`, a guard, and the page for marking essays.

    The guard is nbgrader's configuration for every folder; the page is an extension of the Jupyter server. The package
    that students install has none of them. Raises: CourseError if the guard's place holds another configuration,
    or if the environment is the system's.
    """
    if prefix in (Path("/usr"), Path("/usr/local"), Path("/")):
        raise CourseError(f"{prefix} is the system's Python; make an environment first: `python3 -m venv .venv`.")
    guard = prefix / "etc" / "jupyter" / CONFIG_NAME
    if guard.exists() and "Attention Workbook" not in guard.read_text(encoding="utf-8", errors="replace"):
        raise CourseError(
            f"{guard} is another configuration of nbgrader; move its lines to the courses, and delete it."
        )
    script = prefix / "bin" / "workbook"
    write_whole(guard, GUARD.format(workbook=str(ROOT)))
    write_whole(script, SCRIPT.format(python=prefix / "bin" / "python", workbook=str(ROOT)))
    script.chmod(0o755)
    return [script, guard, *_install_extension(prefix)]


def _install_extension(prefix: Path) -> list[Path]:
    """Have the environment's Jupyter server load the page for marking essays, and its JupyterLab show the card."""
    packages = sysconfig.get_path("purelib", vars={"base": str(prefix), "platbase": str(prefix)})
    module = Path(packages) / f"{SERVER_EXTENSION}.py"
    enabled = prefix / "etc" / "jupyter" / "jupyter_server_config.d" / f"{SERVER_EXTENSION}.json"
    write_whole(module, EXTENSION.format(workbook=str(ROOT)))
    write_whole(enabled, json.dumps({"ServerApp": {"jpserver_extensions": {SERVER_EXTENSION: True}}}, indent=1) + "\n")
    lab = prefix / "share" / "jupyter" / "labextensions" / LAB_NAME
    card = {"package.json": lab / "package.json", "remoteEntry.js": lab / "static" / "remoteEntry.js"}
    for name, place in card.items():
        write_whole(place, (LAB_EXTENSION / name).read_text(encoding="utf-8"))
    return [module, enabled, *card.values()]
