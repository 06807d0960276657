"""The pieces of a submission's cells, and which of them are code of the release.

An editor may have merged cells, or cut one in two. A piece is one cell of the release, a part of one, or the student's
own. Code without a label is known by its lines.
"""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from autograder.intake.known import Known, code_in, lines_of, parsed
from autograder.intake.plain import CARRIED
from autograder.intake.prose import letters
from autograder.lesson.setup import ON_TOP, SETUP_NAME, TRACKS
from utils.common.messages import LANGUAGES, translate

# A cell of ours that a student has changed is known by this share of its lines, of at least LEAST_LINES.
ALIKE, LEAST_LINES = 0.6, 3
# A link to a lesson or a page of the bundle, with a word or two before it; the badge of Colab.
LINK = r"[^\[\]()·]{0,40}\[[^\[\]]+\]\([\w./-]+\.(?:ipynb|md)\)|\[!\[[^\[\]]*\]\([^()]*\)\]\([^()]*\)"
# What tools and our bundle add to a notebook: a link to themselves, the prompts of a script, links to other lessons.
OF_TOOLS = re.compile(rf"\s*(<a\b.*</a>|(# *)?(In|Out) ?\[[ \d*]*\]:?|(?:{LINK})(?: · (?:{LINK}))*)\s*", re.DOTALL)


Pictures = dict[str, dict[str, str]]  # attached pictures, by their names, in the forms of a notebook
# A line of code that is neither empty nor a comment.
WRITTEN = re.compile(r"\s*[^\s#]")


@dataclass
class Piece:
    """A cell of a submission, or a part of it."""

    kind: str  # code, markdown or raw
    source: str
    owner: str = ""  # the grade id or the id of the release's cell; "" for the student's own
    labelled: bool = False  # known by its label
    empty: bool = False  # an essay's empty answer
    part: bool = False  # one of several parts of a cell of ours
    scratch: bool = False  # a cell of ours for the student's own trials
    spare: bool = False  # dropped unless a gap needs it
    joined: bool = False  # of two halves
    extended: bool = False  # a cell of ours in which more was written
    attachments: Pictures = field(default_factory=dict)
    id: str = ""

    def is_own(self, *kinds: str) -> bool:
        return not (self.owner or self.empty) and self.kind in (kinds or ("code", "markdown", "raw"))


def stated_words(text: str) -> bool:
    """Return whether a text says something: it has letters, and neither a tool nor our bundle has added it."""
    own = letters(text)
    added = text == CARRIED or OF_TOOLS.fullmatch(text) or own in _on_top() or own.startswith(_tracks())
    return bool(own) and not added


@functools.cache
def _on_top() -> frozenset[str]:
    """Return the letters of the lines on assistants that a bundle puts on top of its notebooks, in each language."""
    return frozenset(letters(translate(line, language)) for line in ON_TOP.values() for language in LANGUAGES)


@functools.cache
def _tracks() -> tuple[str, ...]:
    """Return the letters with which a bundle's line on questions of other tracks begins, in each language."""
    return tuple(letters(translate(TRACKS, language)) for language in LANGUAGES)


def with_code_known(pieces: list[Piece], known: Known) -> list[Piece]:
    """Return the pieces, in which code of the release is known by its lines, and halves of a cell are joined."""
    pieces = _with_exact(pieces, known)
    incomplete = _incomplete(pieces, known)
    pieces = [part for piece in pieces for part in _cut_at_ours(piece, known, incomplete)]
    incomplete = _incomplete(pieces, known)
    whole: list[Piece] = []
    for piece in pieces:  # in their order: the half of a cell is the student's if that above is
        if piece.is_own("code") and not piece.spare:
            if not piece.source.strip():  # perhaps between two halves
                continue
            if whole and _goes_on(whole[-1], piece, known):
                whole[-1].source, whole[-1].joined = f"{whole[-1].source}\n{piece.source}", True
                continue
            _know_changed(piece, known, incomplete)
        whole.append(piece)
    return whole


def _with_exact(pieces: list[Piece], known: Known) -> list[Piece]:
    """Find code of ours, and untouched gaps, by their whole text."""
    by_text: dict[str, list[str]] = {}
    for name, cell in known.managed.items():
        if cell.cell_type == "code":
            by_text.setdefault(lines_of(cell.source), []).append(name)
    seen = {piece.owner for piece in pieces}
    for piece in pieces:
        code = code_in(piece.kind, piece.source) if piece.is_own() else ""
        if names := by_text.get(lines_of(code.strip())):
            piece.owner = next((name for name in names if name not in seen), names[0])
            seen.add(piece.owner)
    return pieces


def _incomplete(pieces: list[Piece], known: Known) -> dict[str, str]:
    """Return the cells of ours that are complete nowhere."""
    whole = {p.owner for p in pieces if p.owner in known.code and lines_of(p.source.strip()) == known.code[p.owner]}
    # The first cell differs from course to course; its last line is the same.
    end = known.code[SETUP_NAME].rstrip("\n").rpartition("\n")[2]
    whole |= {p.owner for p in pieces if p.owner == SETUP_NAME and p.labelled and p.source.rstrip().endswith(end)}
    return {name: code for name, code in known.code.items() if name not in whole}


def _cut_at_ours(piece: Piece, known: Known, incomplete: dict[str, str]) -> Iterator[Piece]:
    """Yield the piece, cut where it holds a whole cell of ours: an editor has merged cells."""
    if piece.kind != "code" or not (piece.is_own() or piece.owner in incomplete or piece.owner in known.gaps):
        yield piece
        return
    code = lines_of(piece.source)
    found = next((name for name in incomplete if incomplete[name] in code), "")
    if not found:
        changed = piece.owner in incomplete and code not in incomplete[piece.owner] and piece.owner != SETUP_NAME
        piece.part = piece.owner in incomplete and not changed
        yield piece
        if changed:  # a student's code may be in our cell
            yield Piece("code", piece.source, spare=True, id=f"{piece.id}-own")
        return
    first = code[: code.index(incomplete[found])].count("\n")
    last = first + incomplete[found].count("\n") - 1
    lines = piece.source.split("\n")
    at = [number for number, line in enumerate(lines) if line.strip()]
    before, after = "\n".join(lines[: at[first]]), "\n".join(lines[at[last - 1] + 1 :])
    ours = piece.owner if piece.owner in known.gaps else ""
    shown = piece.owner in known.code and known.managed[piece.owner].metadata.get("workbook", {}).get("role") == "show"
    rest = {name: code for name, code in incomplete.items() if name != found}
    for number, text in enumerate((before, after)):
        if number == 1:
            same = piece.owner == found
            source = known.managed[found].source
            yield Piece("code", source, found, labelled=same, extended=same, id=f"{piece.id}-ours")
        if text.strip():
            own = replace(piece, source=text.strip("\n"), owner=ours, labelled=bool(ours), spare=shown)
            own.id = f"{piece.id}-{number}"
            yield from _cut_at_ours(own, known, rest)


def _know_changed(piece: Piece, known: Known, incomplete: dict[str, str]) -> None:
    """Know a part of a cell of ours, and a cell of ours that the student has changed, by the lines."""
    code = lines_of(piece.source)
    lines = code.split("\n")[1:-1]
    if part_of := next((name for name, whole in incomplete.items() if lines and code in whole), ""):
        piece.owner, piece.part = part_of, True
        return
    for name, whole in incomplete.items():
        same = set(whole.split("\n"))
        if len(lines) >= LEAST_LINES and sum(line in same for line in lines) >= ALIKE * len(lines):
            piece.owner = name
            return


def _goes_on(above: Piece, piece: Piece, known: Known) -> bool:
    """Return whether a piece is the second half of the one above: it begins indented, or completes its code."""
    first, last = _code_lines(piece)[0], _code_lines(above)[-1]
    if above.spare or not (above.is_own("code") or (above.kind == "code" and above.owner in known.gaps)):
        return False
    if first[:1].isspace():
        return last[:1].isspace() or last.rstrip().endswith((":", "(", "[", "{", ",", "\\"))
    return parsed(above.source) is None and parsed(f"{above.source}\n{piece.source}") is not None


def _code_lines(piece: Piece) -> list[str]:
    """Return the lines that are neither empty nor comments; of a piece without such lines, its comments."""
    lines = [line for line in piece.source.split("\n") if line.strip()]
    return [line for line in lines if WRITTEN.match(line)] or lines or [""]
