"""What an instructor may want to look at: lines of a notebook that an honest answer has no use for.

A line found here takes no mark, since the sandbox has made it harmless; it becomes a flag.
"""

import ast
import functools
import io
import re
import tokenize

from nbformat import NotebookNode

from utils.common.printable import printable

SCRIPT = (
    r"(?i)<\s*(script|iframe|object|embed|svg|form|meta|link|base)\b|javascript:|\bon(error|load|click|\w*over)\s*="
)
# Words of which each match has one, as they stand in it, for most cells have none: a look for a word is quick. Then the
# pattern, and what it says.
SUSPICIOUS = (
    (
        "gradebook submitted autograde source/ release/ .ipynb",
        r"gradebook|submitted|autograde[dr]|\bsource/|release/|\.ipynb",
        "looks for the course's files",
    ),
    (
        "/proc /etc/ /root /dev/ ../.. open( os.l os.w os.s os.m glob pathlib",
        r"/proc\b|/etc/|/root|/dev/|\.\./\.\.|(?<![.\w])open\(|os\.(listdir|walk|scandir|mkfifo|symlink)|\bglob\b|pathlib",
        "looks around the file system",
    ),
    (
        "ast_transformers input_transformers run_cell showtraceback displayhook displaypub _run events.register",
        r"ast_transformers|input_transformers|run_cell|showtraceback|displayhook|displaypub|(pre|post)_run|events\.register",
        "changes IPython",
    ),
    (
        "NBGRADER REHEARSAL os.environ getenv sys. _getframe currentframe inspect.stack f_back gc",
        r"NBGRADER|REHEARSAL|os\.environ|getenv|sys\.(argv|modules|settrace|setprofile|_current_frames)|_getframe"
        r"|currentframe|inspect\.stack|f_back|\bgc\b",
        "looks for the grader",
    ),
    ("socket urllib requests. http.client", r"\bsocket\b|urllib|requests\.|http\.client", "uses the network"),
    (
        "subprocess os.s os.f os.k os._ os.a os.e os.c os.d os.n popen multiprocessing hread ctypes exit( SystemExit "
        "signal KeyboardInterrupt atexit",
        r"subprocess|os\.(system|fork|kill|_exit|abort|exec|spawn|close|dup|nice)|popen|multiprocessing|[tT]hread"
        r"|ctypes|(sys\.|\b)exit\(|SystemExit|\bsignal\b|KeyboardInterrupt|\batexit\b",
        "starts or ends processes",
    ),
    ("time.sleep itertools.count", r"time\.sleep|itertools\.count", "may wait for ever"),
    (
        "mmap memfd resource bytearray( 10",
        r"\bmmap\b|memfd|\bresource\b|bytearray\(|10 ?\*\* ?[1-9]\d",
        "takes much memory",
    ),
    (
        "= setattr(",
        r"(?<![\w.])(torch|numpy|np|F|nn|builtins|check|exam|probe|utils|training)\.[\w.]+\s*=(?!=)|setattr\(",
        "overwrites a library's function",
    ),
    (
        "eval( exec( compile( globals( __import__( importlib __builtins__",
        r"(?<![.\w])(eval|exec|compile|globals|__import__)\(|importlib|__builtins__",
        "runs code made from text",
    ),
    (
        "__torch_function__ __getattr __class__ __subclasses__ def",
        r"__torch_function__|__getattr|__class__|__subclasses__|def __(eq|lt|float|bool|iter|len)__",
        "defines objects that lie",
    ),
    (
        "utils.checks",
        r"utils\.checks(\.|\s+import\s.*)\b(core|observation|probe|messages|report)\b",
        "looks into the checks",
    ),
    ("pickle torch.load marshal", r"pickle|torch\.load|marshal", "loads pickles"),
    ("< : =", SCRIPT, "puts a script into a page"),
)
WORDS = {pattern: words.split() for words, pattern, _ in SUSPICIOUS}
# Longer lines are not searched to their ends, so that none can hold up the search; they are flagged as such.
LONG_LINE = 500
# Texts that are remembered, and the longest of them: most are the lesson's own, the same in each notebook of a class.
KEPT, LONGEST_KEPT = 512, 8192


def suspicions(cells: list[NotebookNode], texts: list[NotebookNode]) -> list[str]:
    """Return what an instructor may want to look at in the student's cells and texts."""
    found: list[str] = []
    for cell in [*cells, *texts]:
        patterns = (_patterns_in if len(cell.source) > LONGEST_KEPT else _kept_patterns)(cell.source, cell.cell_type)
        written = cell.source.split("\n")
        searched = code_alone(cell.source).split("\n") if patterns and cell.cell_type == "code" else written
        for pattern, what in patterns:
            lines = (line[:LONG_LINE] for line in searched)
            line = next((line for line in lines if re.search(pattern, line)), None)
            if line is not None:
                found.append(f"cell {cell.id} {what}: {printable(line.strip()[:100])}")
        if cell.cell_type == "code" and any(len(line) >= LONG_LINE for line in written):
            found.append(f"cell {cell.id} has a line of {LONG_LINE} characters or more")
    return found


def _patterns_in(source: str, kind: str) -> list[tuple[str, str]]:
    """Return the patterns that match somewhere in a cell, with what they say: no line has what the whole has not."""
    whole = "\n".join(line[:LONG_LINE] for line in source.split("\n"))
    return [
        (pattern, what)
        for _, pattern, what in (SUSPICIOUS if kind == "code" else SUSPICIOUS[-1:])
        if any(word in whole for word in WORDS[pattern]) and re.search(pattern, whole)
    ]


_kept_patterns = functools.lru_cache(maxsize=KEPT)(_patterns_in)


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
