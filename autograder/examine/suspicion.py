"""What an instructor may want to look at: lines of a notebook that an honest answer has no use for.

A line found here takes no mark, since the sandbox has made it harmless; it becomes a flag.
"""

import re

from nbformat import NotebookNode

from utils.common.printable import printable

SCRIPT = (
    r"(?i)<\s*(script|iframe|object|embed|svg|form|meta|link|base)\b|javascript:|\bon(error|load|click|\w*over)\s*="
)
SUSPICIOUS = (
    (r"gradebook|submitted|autograde[dr]|\bsource/|release/|\.ipynb", "looks for the course's files"),
    (
        r"/proc\b|/etc/|/root|/dev/|\.\./\.\.|(?<![.\w])open\(|os\.(listdir|walk|scandir|mkfifo|symlink)|\bglob\b|pathlib",
        "looks around the file system",
    ),
    (
        r"ast_transformers|input_transformers|run_cell|showtraceback|displayhook|displaypub|(pre|post)_run|events\.register",
        "changes IPython",
    ),
    (
        r"NBGRADER|REHEARSAL|os\.environ|getenv|sys\.(argv|modules|settrace|setprofile|_current_frames)|_getframe"
        r"|currentframe|inspect\.stack|f_back|\bgc\b",
        "looks for the grader",
    ),
    (r"\bsocket\b|urllib|requests\.|http\.client", "uses the network"),
    (
        r"subprocess|os\.(system|fork|kill|_exit|abort|exec|spawn|close|dup|nice)|popen|multiprocessing|[tT]hread"
        r"|ctypes|(sys\.|\b)exit\(|SystemExit|\bsignal\b|KeyboardInterrupt|\batexit\b",
        "starts or ends processes",
    ),
    (r"time\.sleep|itertools\.count", "may wait for ever"),
    (r"\bmmap\b|memfd|\bresource\b|bytearray\(|10 ?\*\* ?[1-9]\d", "takes much memory"),
    (
        r"(?<![\w.])(torch|numpy|np|F|nn|builtins|check|exam|probe|utils)\.[\w.]+\s*=(?!=)|setattr\(",
        "overwrites a library's function",
    ),
    (r"(?<![.\w])(eval|exec|compile|globals|__import__)\(|importlib|__builtins__", "runs code made from text"),
    (
        r"__torch_function__|__getattr|__class__|__subclasses__|def __(eq|lt|float|bool|iter|len)__",
        "defines objects that lie",
    ),
    (r"utils\.checks(\.|\s+import\s.*)\b(core|observation|probe|messages|report)\b", "looks into the checks"),
    (r"pickle|torch\.load|marshal", "loads pickles"),
    (SCRIPT, "puts a script into a page"),
)
# Longer lines are not searched to their ends, so that none can hold up the search; they are flagged as such.
LONG_LINE = 500


def suspicions(cells: list[NotebookNode], texts: list[NotebookNode]) -> list[str]:
    """Return what an instructor may want to look at in the student's cells and texts."""
    found = []
    for cell in [*cells, *texts]:
        patterns = SUSPICIOUS if cell.cell_type == "code" else [(SCRIPT, "puts a script into a page")]
        lines = [line[:LONG_LINE] for line in cell.source.split("\n")]
        for pattern, what in patterns:
            line = next((line for line in lines if re.search(pattern, line)), None)
            if line is not None:
                found.append(f"cell {cell.id} {what}: {printable(line.strip()[:100])}")
        if cell.cell_type == "code" and any(len(line) == LONG_LINE for line in lines):
            found.append(f"cell {cell.id} has a line of {LONG_LINE} characters or more")
    return found
