"""The first code cell of every notebook, which finds the workbook's modules. It looks in this order:

    1. above the notebook, and among the installed packages, for the version that the notebook needs
    2. for the wheel beside the notebook or one folder up, where `nbgrader fetch_assignment` and the bundle put it
    3. at the address that the course has set, a wheel's URL or a requirement with its version

If it finds none, one sentence says what to do. It never installs by a bare name, because anyone who registers that name
in a package index could run code in every student's notebook. The cell is short, so that students can read it; its two
sentences are in the notebook's language.

In the workbook's own folder a notebook needs the version of `utils/version.py`. The version of notebooks and wheels
that are handed out contains a hash of the modules (`Course.version`), so that other modules are refused.
"""

import json
import re
import textwrap
from collections.abc import Callable

from nbformat import NotebookNode

from autograder.common.course_file import ANY, EXPLAIN, NO_ASSISTANTS
from autograder.common.errors import LessonError
from autograder.common.nodes import grade_id
from utils.common.messages import N_, in_context, without_context
from utils.version import __version__

SETUP_NAME = "setup"
VERSION_LINE = re.compile(r'(?m)^VERSION = "(.*)"$')
HIDING = N_(
    "Your own utils.py hides the workbook's modules, version {VERSION} (found: {found}); rename it, and run this cell "
    "again."
)
ABSENT = N_(
    "The workbook's modules, version {VERSION}, are missing (found: {found}); put {wheel} from your course's bundle "
    "beside this notebook, and run this cell again."
)

# What the sentences say is found where no version is.
NO_VERSION, FOUND = in_context("of versions of the modules", "none"), 'found = "{}"'

# What a course asks of students' coding assistants, in one line on top of each notebook of its bundle, by the setting.
ON_TOP = {
    EXPLAIN: N_("Assistants may explain and ask. The gaps are yours to write, because you learn what you write."),
    NO_ASSISTANTS: N_(
        "This course asks you to work without an assistant. The checks say what is wrong, and give hints."
    ),
    ANY: N_("You may use an assistant. You learn what you write yourself, so run the check and read it first."),
}
# In another line, before the questions and their tracks, if a course's `only` has some.
TRACKS = N_("Some questions count only for a part of the class:")


def literal(text: str) -> str:
    """Return Python code for the string `text`, in short lines."""
    lines = textwrap.wrap(text, 100, drop_whitespace=False)
    return "\n".join(("(", *(f"    {json.dumps(line, ensure_ascii=False)}" for line in lines), ")"))


SETUP = f'''\
# Finds the workbook's modules: above this notebook, installed, in the wheel beside it, or at the course's address.
import sys
import tempfile
import zipfile
from pathlib import Path

VERSION = "{__version__}"
ADDRESS = ""
HIDING = {literal(HIDING)}
ABSENT = {literal(ABSENT)}


def version_found():
    try:
        from utils.version import __version__ as found
    except ImportError:  # no modules at all, or another `utils`
        found = "none"
    if found != VERSION:  # so that the next import looks again
        for name in [name for name in sys.modules if name.partition(".")[0] == "utils"]:
            del sys.modules[name]
    return found


sys.path[:0] = [str(folder) for folder in Path.cwd().parents if (folder / "utils" / "version.py").is_file()]
wheel = f"attention_workbook-{{VERSION}}-py3-none-any.whl"
beside = [path for path in (Path(wheel), Path("..", wheel)) if path.is_file()]
if version_found() != VERSION and beside:
    unpacked = tempfile.TemporaryDirectory()  # goes when the kernel stops
    zipfile.ZipFile(beside[0]).extractall(unpacked.name)
    sys.path.insert(0, unpacked.name)
if version_found() != VERSION and ADDRESS:
    get_ipython().run_line_magic("pip", f'install --quiet "{{ADDRESS}}"')
if (found := version_found()) != VERSION:
    sentence = (HIDING if Path("utils.py").exists() else ABSENT).format(VERSION=VERSION, found=found, wheel=wheel)
    raise type("ModulesMissing", (ImportError,), {{"_render_traceback_": lambda self: [str(self)]}})(sentence)

from utils.checks import going_on

going_on.install()  # with gaps open, "Run All" comes to the end, and each cell says which gap it waits for'''


# The last cell of every notebook. Like the first, it is added to each lesson's text.
STANDING_NAME = "where_you_stand"
STANDING = """\
# Where you stand: runs the checks again, without training anything, and shows what is done and what is open.
from utils.checks import standing

standing.show("{lesson}", globals())"""


def translated(setup: str, say: Callable[[str], str]) -> str:
    """Return the first cell with its sentences translated by `say`."""
    for text in (HIDING, ABSENT):
        setup = setup.replace(literal(text), literal(say(text)))
    return setup.replace(FOUND.format(without_context(NO_VERSION)), FOUND.format(say(NO_VERSION)))


def wheel_name(version: str) -> str:
    """Return the file name of the students' modules."""
    return f"attention_workbook-{version}-py3-none-any.whl"


def version_needed(notebook: NotebookNode) -> str:
    """Return the version of the modules that a notebook's first cell needs, "" if it does not say."""
    sources = (cell.source for cell in notebook.cells if grade_id(cell) == SETUP_NAME)
    return next((line[1] for source in sources if (line := VERSION_LINE.search(source))), "")


def stamp(notebook: NotebookNode, version: str, address: str = "") -> None:
    """Write the version of the modules to hand out, and the course's address, into a notebook's first cell."""
    for cell in notebook.cells:
        if grade_id(cell) == SETUP_NAME:
            cell.source = stamped(VERSION_LINE.sub(f'VERSION = "{version}"', cell.source), address)


def stamped(setup: str, address: str) -> str:
    """Return the first cell with the course's address in it.

    Raises: LessonError for a name without version, because somebody else could register it.
    """
    if address and not re.fullmatch(r"https://[\w.~:/?#@!$&()*+,;=%-]+|[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", address):
        raise LessonError(
            f"The course's address {address!r} cannot be used; give the wheel's URL (https://…) or a requirement with "
            "its version (name==1.2.3): a name alone could bring anybody's code."
        )
    return setup.replace('ADDRESS = ""', f'ADDRESS = "{address}"')


# ---- the cell in which a notebook carries its modules (`autograder.course.carried` writes it) ------------------

CARRIER_ID = "carried-modules"
# Colab shows the title in place of the folded cell.
CARRIER_TITLE = '# @title {title} {{ display-mode: "form" }}'
_CARRIER = re.compile(r"# @title .*\nimport base64\n")


def is_carrier(source: str) -> bool:
    """Return whether a code cell carries modules; an editor may have changed the cell's id."""
    return bool(_CARRIER.match(source)) and "lzma.decompress" in source
