"""What a notebook does that an honest answer does not need, for an instructor to look at.

Such a line becomes a flag. It costs no points, because the sandbox has made it harmless. Code is read as a syntax tree
(`code_reading.py`): a flag says what is imported, called, assigned or named, so that a word in another sense, a
comment or a docstring raises none.
"""

import ast
import functools
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from nbformat import NotebookNode

from autograder.examine.code_reading import MOST_LETTERS, Reading, folded, number, read
from autograder.lesson.setup import SETUP, is_carrier
from utils import checks
from utils.common.messages import N_
from utils.common.printable import printable

SCRIPT = re.compile(
    r"(?i)<\s*(script|iframe|object|embed|svg|form|meta|link|base)\b|javascript:|\bon(error|load|click|\w*over)\s*="
)
# Only a cell with this text is compared with the workbook's first cell.
NAMED_IN_SETUP = "def version_found"
# Longer lines of a text are not searched to their ends; a line of code so long is flagged as such.
LONG_LINE = 500

# Modules of `utils.checks` that notebooks import, in the first and the last cell; all others judge, or hold answers.
FOR_NOTEBOOKS = {"going_on", "standing", "__init__"}
CHECKS = Path(checks.__file__).parent
JUDGING = {path.stem for path in CHECKS.rglob("*.py")} - FOR_NOTEBOOKS | {"engine"}


def _set(words: str) -> set[str]:
    return set(words.split())


LIBRARIES = _set("torch numpy builtins __builtins__ utils check exam probe training IPython math")
# Of whose attributes code sets one by `setattr`; `?` is what an expression gives.
OTHERS = {*LIBRARIES, "sys", "?"}
# Attributes by which code finds who called it, what others hold, and what a process was started with.
FRAMES = _set(
    "f_back f_locals f_globals f_code f_builtins tb_frame gi_frame cr_frame ag_frame _getframe currentframe "
    "_current_frames settrace setprofile get_objects get_referrers get_referents __closure__ cell_contents"
)
SHELL = _set(
    "ast_transformers input_transformers input_transformers_post run_cell run_cell_async showtraceback displayhook "
    "display_pub displaypub pre_run_cell post_run_cell pre_execute post_execute set_custom_exc register_magic_function"
)
NETWORK = _set("socket urllib.request requests http ftplib smtplib aiohttp")
PROCESSES = _set("subprocess multiprocessing threading _thread ctypes signal atexit pty faulthandler concurrent fcntl")
OF_OS = re.compile(
    r"(os|posix)\.(system|fork\w*|kill\w*|_exit|abort|exec\w+|(posix_)?spawn\w*|close\w*|dup\w*|nice|p?open|pipe\w*"
    r"|unshare|setns|sched_\w+|setpriority|wait\w*|memfd_create|pidfd_open|mkfifo|mknod|listdir|walk|scandir|symlink|link"
    r"|chroot|environb|getppid)$"
)
LYING = _set(
    "__torch_function__ __torch_dispatch__ __getattribute__ __float__ __bool__ __lt__ __gt__ __le__ __ge__ __array__ "
    "__instancecheck__ __index__ __reduce__ __reduce_ex__ __setattr__ __del__"
)
TAKES_MUCH = re.compile(r"(torch|numpy)\.(zeros|ones|empty|rand|randn|full|arange|eye)$|(bytearray|range|bytes)$")
COURSE = re.compile(r"gradebook|(^|/)submitted\b|autograde[dr]|\bsource/|release/|\.ipynb\b|answers\.json|\.grading")
ELSEWHERE = re.compile(r"^\s*(/proc|/etc/|/root|/dev/|/home|/sys/|/tmp/\.\.)|\.\./\.\.|^~")

Found = Iterator[ast.AST]
Rule = Callable[[Reading], Found]


def _starts(name: str, *modules: str) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in modules)


def _used(*modules: str) -> Rule:
    return lambda reading: (node for name, node in reading.uses if _starts(name, *modules))


def _words(reading: Reading) -> Iterator[tuple[str, ast.AST]]:
    """Yield each attribute that code names, also by a text."""
    for name, node in [*reading.uses, *reading.sets, *reading.texts]:
        if "." in name or " " not in name:
            yield from ((word, node) for word in name.split(".") if word)


def _course(reading: Reading) -> Found:
    """A text that is a path, not a sentence."""
    yield from (node for text, node in reading.texts if COURSE.search(text) and not re.search(r"[^%!]\s\S+\s", text))


def _files(reading: Reading) -> Found:
    yield from (node for text, node in reading.texts if ELSEWHERE.search(text))
    for name, node in reading.calls:
        opened = name in ("open", "io.open", "?.iterdir", "?.rglob") or _starts(name, "glob", "builtins.open")
        if opened and not (node.args and _is_own_file(node.args[0])):
            yield node
    yield from (node for name, node in reading.uses if re.search(r"\.(iterdir|rglob)$", name))


def _is_own_file(node: ast.AST) -> bool:
    """Return whether a file's name is written out, and of a file beside the notebook."""
    name = folded(node)
    return bool(name) and "\0" not in name and not name.startswith(("/", "~")) and ".." not in name


def _shell(reading: Reading) -> Found:
    yield from (node for word, node in _words(reading) if word in SHELL)
    yield from (node for name, node in reading.uses if name.endswith("events.register"))


def _grader(reading: Reading) -> Found:
    yield from (node for word, node in _words(reading) if word in FRAMES or re.search("NBGRADER|REHEARSAL", word))
    for name, node in reading.uses:
        asked = any(isinstance(parent, ast.Compare) for parent in reading.parents(node))  # "torch" in sys.modules
        if _starts(name, "inspect.stack", "inspect.trace", "sys.argv", "sys.modules") and not asked:
            yield node
        if name.startswith("autograder") and not isinstance(node, ast.Name):
            yield node
        if _starts(name, "os.environ", "os.getenv") and not _is_harmless_variable(reading, node):
            yield node


def _is_harmless_variable(reading: Reading, node: ast.AST) -> bool:
    """A variable that is set, or read by a name that is not the grader's."""
    for parent in reading.parents(node):
        if isinstance(parent, ast.Subscript) or (isinstance(parent, ast.Call) and parent.args):
            key = folded(parent.slice if isinstance(parent, ast.Subscript) else parent.args[0])
            return bool(key) and not re.search("NBGRADER|REHEARSAL|WORKBOOK|\0", key)
        if isinstance(parent, ast.Compare):
            return True
    return isinstance(node, ast.ImportFrom)


def _processes(reading: Reading) -> Found:
    for name, node in reading.uses:
        harmless = isinstance(node, ast.Import) or name == "multiprocessing.cpu_count"
        if _starts(name, *PROCESSES) and not harmless:
            yield node
        if OF_OS.search(name) or name in ("SystemExit", "KeyboardInterrupt"):
            yield node
    yield from (node for name, node in reading.calls if name in ("exit", "quit", "sys.exit"))


def _waiting(reading: Reading) -> Found:
    for name, node in reading.calls:
        seconds = number(node.args[0]) if node.args else None
        if name == "itertools.count" or (name == "time.sleep" and (seconds is None or seconds > 2)):
            yield node


def _memory(reading: Reading) -> Found:
    yield from _used("mmap", "resource")(reading)
    yield from reading.large
    for name, node in reading.calls:
        sizes = [number(part) or 1.0 for arg in node.args for part in (getattr(arg, "elts", None) or [arg])]
        if TAKES_MUCH.search(name) and math.prod(max(abs(size), 1.0) for size in sizes) >= 10**8:
            yield node


def _overwrites(reading: Reading) -> Found:
    for name, node in reading.sets:
        if isinstance(node, ast.Name):  # a variable of one's own, such as `F = one_hot(…)`, whatever `F` was before
            continue
        first, *attributes = name.removesuffix("[]").split(".")
        switches = name.startswith("torch.backends.")
        plain = name.endswith("[]") and attributes[-1:] != ["__dict__"]
        if first in LIBRARIES and attributes and not switches and not plain:
            yield node
    for name, node in reading.calls:
        target = node.args[0] if node.args else node
        of_the_cell = isinstance(target, ast.Name) and target.id in reading.variables  # `self`, a layer, a dictionary
        first = reading.named(target).partition(".")[0]
        if name in ("setattr", "delattr", "builtins.setattr", "vars") and first in OTHERS and not of_the_cell:
            yield node


def _from_text(reading: Reading) -> Found:
    for name, call in reading.calls:
        if name in ("eval", "exec", "compile", "__import__") or (name == "globals" and not _is_shown(reading, call)):
            yield call
    for name, node in reading.uses:
        renamed = not isinstance(node, ast.Import) or any(alias.asname for alias in node.names if alias.name == name)
        imports = _starts(name, "importlib") and not _starts(name, *HARMLESS_IMPORTS) and name != "importlib.util"
        if name.startswith("__builtins__") or (imports and renamed):
            yield node


def _is_shown(reading: Reading, node: ast.AST) -> bool:
    """Return whether `globals()` is only used to look up a name, or passed to the lesson's last cell."""
    above = next(reading.parents(node), None)
    last = isinstance(above, ast.Call) and reading.named(above.func).endswith("standing.show")
    return last or isinstance(above, ast.Compare)


def _lies(reading: Reading) -> Found:
    for class_ in reading.classes:
        defined: dict[str, ast.AST] = {}
        for node in class_.body:
            names = node.targets if isinstance(node, ast.Assign) else [node]
            defined |= {str(getattr(name, "id", getattr(name, "name", ""))): node for name in names}
        bases = {reading.named(base) for base in class_.bases}
        yield from (defined[name] for name in sorted(defined.keys() & LYING))
        asks = any(getattr(node, "id", "") == "super" for node in ast.walk(defined.get("__getattr__", class_)))
        if "__getattr__" in defined and "dict" not in bases and not asks:
            yield defined["__getattr__"]
        if "__eq__" in defined and _is_constant(defined["__eq__"]):
            yield defined["__eq__"]
    yield from (node for name, node in reading.sets if name.endswith((".__class__", ".__dict__", ".__eq__")))
    yield from (node for word, node in _words(reading) if word == "__subclasses__")


def _is_constant(function: ast.AST) -> bool:
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    return not returned or all(isinstance(value, ast.Constant) for value in returned)


def _checks(reading: Reading) -> Found:
    for name, node in reading.uses:
        parts = name.split(".")
        judges = parts[:2] == ["utils", "checks"] and (set(parts[2:3]) & JUDGING or parts[2:] == ["*"])
        if judges or (parts[0] == "utils" and (parts[2:3] == ["cases"] or (parts[2:3] == ["check"] and parts[3:]))):
            yield node


def _pickles(reading: Reading) -> Found:
    for name, node in reading.uses:
        loads = _starts(name, "pickle", "_pickle", "marshal", "dill") and not name.endswith((".dump", ".dumps"))
        if loads and not isinstance(node, ast.Import):
            yield node
    for name, node in reading.calls:
        safe = any(word.arg == "weights_only" and getattr(word.value, "value", None) is True for word in node.keywords)
        if name == "torch.load" and not safe and not (node.args and _is_own_file(node.args[0])):
            yield node


def _scripts(reading: Reading) -> Found:
    yield from (node for text, node in reading.texts if SCRIPT.search(text))


HARMLESS_IMPORTS = ("importlib.metadata", "importlib.reload", "importlib.util.find_spec")
# What to say of a line, and how to find it.
RULES: tuple[tuple[str, Rule], ...] = (
    (N_("looks for the course's files"), _course),
    (N_("looks around the file system"), _files),
    (N_("changes IPython"), _shell),
    (N_("looks for the grader"), _grader),
    (N_("uses the network"), _used(*NETWORK)),
    (N_("starts or ends processes"), _processes),
    (N_("may wait forever"), _waiting),
    (N_("takes a lot of memory"), _memory),
    (N_("overwrites a library's function"), _overwrites),
    (N_("runs code made from text"), _from_text),
    (N_("defines objects that lie about their values"), _lies),
    (N_("looks into the checks"), _checks),
    (N_("loads pickles"), _pickles),
    (N_("puts a script into a page"), _scripts),
)


def suspicions(cells: list[NotebookNode], texts: list[NotebookNode]) -> list[str]:
    """Return what an instructor may want to look at in the student's cells and texts."""
    flags: list[str] = []
    for cell in cells:
        flags += [f"cell {cell.id} {what}: {printable(line[:100])}" for what, line in of_code(cell.source)]
        if any(len(line) >= LONG_LINE for line in cell.source.split("\n")) and not is_carrier(cell.source):
            flags.append(f"cell {cell.id} has a line of {LONG_LINE} characters or more")
    for cell in texts:
        line = next((line for line in cell.source.split("\n") if SCRIPT.search(line[:LONG_LINE])), None)
        if line is not None:
            flags.append(f"cell {cell.id} puts a script into a page: {printable(line.strip()[:100])}")
    return flags


def of_code(source: str) -> Iterator[tuple[str, str]]:
    """Yield what a cell does that honest answers do not need, once each, with the first line that does it."""
    if len(source) > MOST_LETTERS:
        if not is_carrier(source):
            yield N_("is too long to be read"), ""
        return
    try:
        reading = read(source)
    except (ValueError, RecursionError, MemoryError) as error:  # nested too deep, or with NUL characters
        yield N_("cannot be read"), type(error).__name__
        return
    if reading is None or (NAMED_IN_SETUP in source and _form(source) == _form(SETUP)):
        return
    for what, rule in RULES:
        if nodes := list(rule(reading)):
            yield what, reading.line(min(nodes, key=lambda node: getattr(node, "lineno", 0)))


@functools.lru_cache(maxsize=64)
def _form(source: str) -> str:
    """Return a cell's syntax tree without its texts: the workbook's first cell in each version and language."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.value = ""
    return ast.dump(tree)
