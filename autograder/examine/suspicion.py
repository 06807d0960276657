"""Lines of a notebook that an honest answer does not need, for an instructor to look at.

Such a line becomes a flag. It costs no points, because the sandbox has made it harmless.
"""

import ast
import io
import re
import tokenize
from pathlib import Path

from nbformat import NotebookNode

from utils import checks
from utils.common.printable import printable

SCRIPT = (
    r"(?i)<\s*(script|iframe|object|embed|svg|form|meta|link|base)\b|javascript:|\bon(error|load|click|\w*over)\s*="
)

# Modules of `utils.checks` that notebooks import, in the first and the last cell.
FOR_NOTEBOOKS = {"going_on", "standing", "__init__"}
CHECKS = Path(checks.__file__).parent
# All others, which judge or hold answers.
JUDGING = sorted(
    {"engine"} | {p.stem for p in CHECKS.rglob("*.py") if not {p.stem, p.relative_to(CHECKS).parts[0]} & FOR_NOTEBOOKS}
)
# What to look for, and what to say of a line in which it is found.
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
        # A variable that is set and memory that is freed are harmless habits.
        r"NBGRADER|REHEARSAL|os\.environ(?!\[[^\]]*\]\s*=[^=]|\.setdefault\()|getenv|_getframe|currentframe|inspect\.stack|f_back"
        r"|sys\.(argv|modules|settrace|setprofile|_current_frames)|\bgc(\.(?!collect\(\))| as\b| import\b)",
        "looks for the grader",
    ),
    (r"\bsocket\b|urllib|requests\.|http\.client", "uses the network"),
    (
        r"subprocess|os\.(system|fork|kill|_exit|abort|exec|spawn|close|dup|nice)|popen|multiprocessing|(?<!num_)(?<!num_interop_)[tT]hread"
        r"|ctypes|(sys\.|\b)exit\(|SystemExit|\bsignal\b|KeyboardInterrupt|\batexit\b",
        "starts or ends processes",
    ),
    (r"time\.sleep|itertools\.count", "may wait for ever"),
    (r"\bmmap\b|memfd|\bresource\b|bytearray\(|10 ?\*\* ?[1-9]\d", "takes much memory"),
    (
        # All but the switches of torch.backends.
        r"(?<![\w.])(torch|numpy|np|F|nn|builtins|check|exam|probe|utils|training)\.(?!backends\.)[\w.]+\s*=(?!=)|setattr\(",
        "overwrites a library's function",
    ),
    (
        # A look whether a package is there, its version, and a module loaded again are harmless habits.
        r"(?<![.\w])(eval|exec|compile|globals|__import__)\(|__builtins__|=\s*importlib\b(?!\.)"
        r"|importlib(?!(\.util|\.metadata)?\s*$|\.(metadata\.|reload\(|util\.find_spec\()"
        r"|\.metadata import|\.util import find_spec\s*$)",
        "runs code made from text",
    ),
    (
        r"__torch_function__|__getattr|__class__|__subclasses__|def __(eq|lt|float|bool|iter|len)__",
        "defines objects that lie",
    ),
    # `from utils.attention import check` is what lessons do.
    (rf"utils\.checks(\.|\s+import\s.*)(?<!\bas\s)\b({'|'.join(JUDGING)})\b", "looks into the checks"),
    (r"utils\.\w+(\.|\s+import\s.*\b)(cases\b|check\.)|answers\.json", "looks into the checks"),
    (r"pickle|torch\.load(?!\([^()]*weights_only=True)|marshal", "loads pickles"),  # weights alone are no code
    (SCRIPT, "puts a script into a page"),
)
# Longer lines are not searched to their ends, so that none can hold up the search; they are flagged as such.
LONG_LINE = 500


def suspicions(cells: list[NotebookNode], texts: list[NotebookNode]) -> list[str]:
    """Return what an instructor may want to look at in the student's cells and texts."""
    flags: list[str] = []
    for cell in [*cells, *texts]:
        is_code = cell.cell_type == "code"
        written = _lines(cell.source)
        patterns = [
            (pattern, what)
            for pattern, what in (SUSPICIOUS if is_code else SUSPICIOUS[-1:])
            if re.search(pattern, "\n".join(written))
        ]
        searched = _lines(code_alone(cell.source)) if patterns and is_code else written
        for pattern, what in patterns:
            line = next((line for line in searched if re.search(pattern, line)), None)
            if line is not None:
                flags.append(f"cell {cell.id} {what}: {printable(line.strip()[:100])}")
        if is_code and any(len(line) >= LONG_LINE for line in written):
            flags.append(f"cell {cell.id} has a line of {LONG_LINE} characters or more")
    return flags


def _lines(text: str) -> list[str]:
    return [line[:LONG_LINE] for line in text.split("\n")]


def code_alone(source: str) -> str:
    """Return a cell's code with blanks for what does nothing: comments, docstrings and annotations of values.

    A cell that Python cannot read (with magics, say) is returned as it is.
    """
    source = source.replace("\r\n", "\n").replace("\r", "\n")  # as Python counts lines
    try:
        tree = ast.parse(source)
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return source
    lines = [line.encode() for line in source.split("\n")]  # ast counts in bytes, tokenize in letters
    idle: list[ast.expr] = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and _is_text(node)]
    idle += [
        node.annotation for node in ast.walk(tree) if isinstance(node, ast.AnnAssign) and _is_idle(node.annotation)
    ]
    spans = [(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0) for node in idle]
    for token in tokens:
        if token.type == tokenize.COMMENT:
            row = token.start[0]
            start = len(lines[row - 1].decode()[: token.start[1]].encode())
            spans.append((row, start, row, start + len(token.string.encode())))
    for first, start, last, end in spans:
        for number in range(first, last + 1):
            line = lines[number - 1]
            left, right = (start if number == first else 0), (end if number == last else len(line))
            lines[number - 1] = line[:left] + b" " * (right - left) + line[right:]
    return "\n".join(line.decode(errors="replace") for line in lines)


def _is_text(node: ast.Expr) -> bool:
    return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_idle(annotation: ast.expr) -> bool:
    """`x: torch.Tensor = …` names a type; `x: evil() = …` does something."""
    return not any(isinstance(part, ast.Call | ast.NamedExpr | ast.Lambda) for part in ast.walk(annotation))
