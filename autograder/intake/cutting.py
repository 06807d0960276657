"""Cuts a submission's cells into pieces: for each, which cell of the release it is, or that it is the student's own.

A cell is known by its label (nbgrader's id, or the cell's); without one, prose by its words and code by its lines. So
an answer is found in the question's cell, in several cells, or in one that an editor has merged with ours.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from nbformat import NotebookNode

from autograder.intake.known import MAX_COMPARED, Known, head_of, says_only
from autograder.intake.pieces import Piece, with_code_known
from autograder.intake.prose import BEGINNING, LINE, RUN, Place, Prose, letters, runs_of, text_stubs

# A line of a cell of text, and the id of the cell of prose that it belongs to; "" for the student's own.
Line = tuple[str, str]
# In place of an id: the line is an empty answer of nbgrader's.
STUB = "(stub)"
# Shares of a cell of prose.
HALF, WHOLE = 0.5, 0.999
# The id of a cell of prose in a release of another day.
OTHER_PROSE = re.compile(r"(prose|scratch)-[0-9a-f]{10}(-\d+)?")
SCRATCH = re.compile(r"scratch-[0-9a-f]{10}(-\d+)?")


def pieces_of(cells: Iterable[NotebookNode], known: Known, proses: list[Prose]) -> list[Piece]:
    """Return a submission's pieces, in its order; `proses`: the prose in the languages that it may be written in."""
    cutter = Cutter(known, proses)
    return with_code_known([piece for cell in cells for piece in cutter.cut(cell)], known)


class Cutter:
    """Cuts cells of text; follows the release's prose from cell to cell, because an editor may have split one."""

    def __init__(self, known: Known, proses: list[Prose]):
        self.known, self.proses = known, proses
        self.last: Place | None = None

    def cut(self, cell: NotebookNode) -> Iterator[Piece]:
        clues = cell.metadata.get("clues", [])
        name = next((clue for clue in clues if clue in self.known.managed), "")
        whole = Piece(cell.cell_type, cell.source, name, bool(name), attachments=dict(cell.get("attachments", {})))
        whole.id = cell.id
        if name in self.known.essays:
            yield from self._cut_text(whole, "")
        elif name or (whole.kind == "code" and (self._is_scratch(whole, clues) or not self._is_prose(whole))):
            yield whole
        else:
            prose = [] if whole.kind == "code" else [clue for clue in clues if clue in self.known.prose_ids]
            whole.id = prose[0] if prose else whole.id
            if prose and any(letters(whole.source) == text.whole.get(prose[0]) for text in self.proses):
                yield replace(whole, owner=prose[0])  # nearly all cells of prose: no need to look at lines
            elif not prose and whole.kind != "code" and (old := next(filter(OTHER_PROSE.fullmatch, clues), "")):
                yield replace(whole, owner=old)
            else:
                yield from self._cut_text(whole, prose[0] if prose else "")

    def _is_scratch(self, piece: Piece, clues: list[str]) -> bool:
        piece.scratch = any(map(SCRATCH.fullmatch, clues)) or head_of(piece.source) in self.known.scratch
        return piece.scratch

    def _is_prose(self, piece: Piece) -> bool:
        """Return whether a cell of code is prose of ours, or an empty answer, whose type was changed."""
        if letters(piece.source) in text_stubs():
            return True
        lines = (letters(line) for line in piece.source.split("\n"))
        found = any(self._follow(line)[0] for line in lines if line)
        return found and says_only(piece.source)

    def _follow(self, line: str) -> tuple[str, int, float]:
        """Return the cell of prose that a line (its letters) belongs to, how many of them do, and their share of it."""
        for prose in self.proses:
            if found := prose.follow(line, self.last):
                self.last = found[0]
                return self.last.cell, found[1], found[1] / len(prose.whole[self.last.cell])
        return "", 0, 0.0

    def _cut_text(self, whole: Piece, label: str) -> Iterator[Piece]:
        """Yield the pieces of a cell of text; `label` is the id of the release's prose that the cell has."""
        lines: list[Line] = []
        shares: dict[str, float] = {}  # of each cell of prose, how much is here
        texts = whole.source.split("\n")[::-1]
        while texts:
            text = texts.pop()
            said = letters(text)
            if not said or said in text_stubs():
                lines.append((text, STUB if said else lines[-1][1] if lines else label))
                continue
            cell, length, share = self._follow(said)
            if not cell and len(said) < BEGINNING and texts:  # the first words of a paragraph, whose line is wrapped
                longer = said + letters(texts[-1])
                cell, length, share = self._follow(longer)
                if cell:
                    text, said = f"{text}\n{texts.pop()}", longer
            shares[cell] = shares.get(cell, 0.0) + share
            if cell and length < len(said):  # a question, and an answer behind it in the same line
                question, answer = _parted(text, length)
                lines += [(question, cell), (answer, "")]
            else:
                lines.append((text, cell))
        lines = self._settled(lines, shares, label, essay=bool(whole.owner))
        if _has_own(lines):
            asked = label if label in self.proses[0].runs else ""
            likenesses = (prose.resembled(letters(whole.source)) for prose in self.proses)
            like, more = next((found for found in likenesses if found[0]), (asked, True))
            if like and shares.get(like, 0.0) < WHOLE:  # written between the question's words
                yield Piece("markdown", "" if more else whole.source, like, id=whole.id)
                lines = [(whole.source, "")] if more else []
        yield from self._grouped(whole, lines)

    def _settled(self, lines: list[Line], shares: dict[str, float], label: str, *, essay: bool) -> list[Line]:
        """Return the lines, in which a quotation of the lesson counts as the student's, and a changed heading as ours.

        Beside the student's own words, and in an essay's cell, few lines of a cell of prose are a quotation. A line of
        ours in which letters were changed is not the student's.
        """
        if not essay and not _has_own(lines):
            return lines
        questions = self.proses[0].runs
        ours = {cell for cell, share in shares.items() if cell and (share >= HALF or cell in questions)} | {label}
        runs = {cell: [prose.runs_in(cell) for prose in self.proses] for cell in ours - questions.keys()}
        settled, below = list[Line](), ""
        for text, owner in reversed(lines):
            cell = owner if owner in ours or owner == STUB else ""
            if not cell and below in runs and text.lstrip().startswith("#"):
                cell = below
            of_line = runs_of(letters(text)[:MAX_COMPARED])
            if not cell and len(of_line) > LINE - RUN:  # a shorter line may have a few of our words by chance
                changed = (
                    name for name, all_ in runs.items() if any(2 * len(of_line & r) >= len(of_line) for r in all_)
                )
                cell = next(changed, "")
            settled.append((text, cell))
            below = cell if letters(text) else below
        return settled[::-1]

    def _grouped(self, whole: Piece, lines: list[Line]) -> Iterator[Piece]:
        """Yield a piece for each run of lines of one cell; with an essay's label, the student's are its answer."""
        essay, found = whole.owner, False
        for number, (cell, group) in enumerate(itertools.groupby(lines, key=lambda line: line[1])):
            text = "\n".join(line for line, _ in group).strip("\n")
            piece = replace(whole, source=text, labelled=bool(essay))
            piece.id = whole.id if number == 0 else f"{whole.id}-{number}"
            if cell and cell != STUB:
                essay = essay if cell == f"{essay}-question" else ""
                piece.kind, piece.attachments = "markdown", {n: p for n, p in whole.attachments.items() if n in text}
                piece.owner, piece.labelled = cell, False
            elif cell == STUB:
                piece = Piece("markdown", "", essay, labelled=bool(essay), empty=True)
            elif letters(text):
                piece.owner = essay
            else:
                continue
            found = found or piece.owner == whole.owner
            yield piece
        if whole.owner and not found:
            yield Piece("markdown", "", whole.owner, labelled=True, empty=True)


def _has_own(lines: list[Line]) -> bool:
    return any(not cell and letters(text) for text, cell in lines)


def _parted(line: str, count: int) -> tuple[str, str]:
    """Return a line cut behind so many letters, and without the signs that close the first part."""
    if "<" in line:
        return "", line
    for at, sign in enumerate(line):
        if count == 0:
            return line[:at], re.sub(r"^[^\w\s]*\s*", "", line[at:])
        count -= len(letters(sign))
    return line, ""
