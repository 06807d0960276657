"""Finds each answer in a submission's pieces: the code of a gap, and the text of an essay, wherever they are.

A gap that is missing or empty is answered by the cell that defines its name. An essay is all that is between its
question and the next known cell. Where that is nothing, the student's other text is put into the answer, so that a
person looks at it: an essay never counts as empty for good while the student's text is elsewhere in the notebook.
"""

import re
from dataclasses import dataclass, field, replace

from autograder.intake.known import Known, assigned, code_in, lines_of, printed, says_only
from autograder.intake.pieces import Pictures, Piece, stated_words
from autograder.intake.prose import LINE, letters
from autograder.lesson.text import TEST_PREFIX
from utils.common.messages import N_, translate

# Letters of a student's other text that are shown in an empty answer.
MAX_OTHER = 6_000
OTHER_TEXT = N_(
    "There was no answer in this cell. This text of yours is elsewhere in the notebook, and a person will read it:"
)


@dataclass
class Found:
    """Where answers were found that are not in their own cells."""

    defined_in: dict[str, str] = field(default_factory=dict)  # gap -> the gap whose cell has its code as well
    moved: set[str] = field(default_factory=set)  # gaps whose code was in a cell that is not theirs
    below: set[str] = field(default_factory=set)  # gaps whose code was below their checks


# ---- gaps -----------------------------------------------------------------------------------------------


def find_code(pieces: list[Piece], known: Known) -> Found:
    """Give each gap that is missing or empty the cells that define its names."""
    found = Found()
    given: dict[str, list[Piece]] = {gap: [] for gap in known.gaps}
    for piece in pieces:
        if piece.owner in given:
            given[piece.owner].append(piece)
    place = {id(piece): number for number, piece in enumerate(pieces)}
    unanswered = [gap for gap in given if all(known.is_stub(gap, code_in(p.kind, p.source)) for p in given[gap])]
    for gap in unanswered:
        if gap in found.defined_in:
            continue
        defining = [piece for piece in pieces if _defines(piece, gap, known)]
        check = next((place[id(p)] for p in pieces if p.owner == TEST_PREFIX + gap), len(pieces))
        chosen = _chosen(defining, pieces, place, check)
        found.below |= {gap} if chosen and place[id(chosen[0])] > check else set()
        for stub in given[gap] if chosen else ():
            if assigned(code_in(stub.kind, stub.source)) <= known.gaps[gap]:
                stub.source = ""
        for piece in chosen:
            if piece.owner in given:  # two gaps merged: the whole cell goes to the first of them
                first, second = sorted((piece.owner, gap), key=list(given).index)
                found.defined_in[second], piece.owner = first, first
            else:
                labelled = any(other.labelled for other in given[gap])
                found.moved |= {gap} if labelled or piece.kind != "code" else set()
                piece.kind, piece.source, piece.owner, piece.spare = (
                    "code",
                    code_in(piece.kind, piece.source),
                    gap,
                    False,
                )
                also = [name for name in unanswered if name != gap and _defines(piece, name, known)]
                found.defined_in |= dict.fromkeys(also, gap)
    copies = {lines_of(piece.source): piece.owner for piece in pieces if piece.owner in given}
    for piece in pieces:
        if piece.is_own("code") and not piece.spare and piece.source.strip():
            piece.owner = copies.get(lines_of(piece.source), "")
    return found


def _defines(piece: Piece, gap: str, known: Known) -> bool:
    """Return whether a piece that is the student's own, or another gap's, has the code of a gap."""
    if piece.owner == gap or not (piece.is_own() or piece.owner in known.gaps):
        return False
    if not any(name in piece.source for name in known.gaps[gap]):
        return False
    code = code_in(piece.kind, piece.source)
    return bool(known.gaps[gap] & assigned(code)) and not known.is_stub(gap, code)


def _chosen(defining: list[Piece], pieces: list[Piece], place: dict[int, int], check: int) -> list[Piece]:
    """Return the pieces that a person would choose: all above the gap's check, else the first below and what follows.

    A definition far below the check is a trial rather than the answer.
    """
    if above := [piece for piece in defining if place[id(piece)] < check]:
        return above
    chosen = defining[:1]
    for piece in defining[1:]:
        between = pieces[place[id(chosen[-1])] + 1 : place[id(piece)]]
        if any(p.owner for p in between):
            break
        chosen.append(piece)
    return chosen


# ---- essays ---------------------------------------------------------------------------------------------


@dataclass
class Essay:
    """An essay's answer as it was found."""

    pieces: list[Piece] = field(default_factory=list)
    code: list[Piece] = field(default_factory=list)  # the student's own code below the question
    in_place: bool = False  # the answer's cell was there, full or empty
    labelled: bool = False  # with its label


def find_essays(pieces: list[Piece], known: Known) -> dict[str, Essay]:
    """Give each essay the student's text between its question and the next known cell."""
    essays = {name: Essay() for name in known.essays}
    asked = ""  # the essay whose question or answer is above
    for piece in pieces:
        if piece.owner and piece.owner not in essays:
            question = piece.owner.removesuffix("-question")
            asked = question if question in essays else ""
        elif piece.owner:
            asked = piece.owner
        elif piece.scratch:
            asked = ""
        elif not asked or piece.spare or not (piece.empty or stated_words(piece.source)):
            continue
        elif piece.empty or piece.kind != "code" or says_only(piece.source):
            piece.owner = asked
        elif text := printed(piece.source):
            piece.owner, piece.kind, piece.source = asked, "markdown", text
        else:
            essays[asked].code.append(piece)
        if asked and piece.owner == asked:
            essays[asked].in_place = True
            essays[asked].labelled |= piece.labelled
            essays[asked].pieces += [] if piece.empty else [piece]
    return essays


def answer_of(essay: Essay, essays: dict[str, Essay], pieces: list[Piece], language: str) -> tuple[str, Pictures]:
    """Return an essay's text and pictures.

    An empty answer is replaced by the student's code below the question, or by text elsewhere in the notebook.
    """
    if essay.pieces:
        return _joined(essay.pieces)
    others = [replace(piece, source=f"```python\n{piece.source}\n```") for piece in essay.code]
    if not others:
        own = (p for p, below in zip(pieces, [*pieces[1:], None], strict=True) if _is_text(p, below))
        others = [piece for piece in own if stated_words(piece.source)]
    if not others:
        answered = [other.pieces for other in essays.values() if other.pieces]
        # One answer alone, of several lines, may be the answer to all questions.
        alone = (
            len(answered) == 1 and sum(bool(letters(line)) for p in answered[0] for line in p.source.split("\n")) > 1
        )
        # Where the answer's cell is missing, cells were moved: the answer may be below another question.
        others = [p for found in answered for p in found if alone or not (essay.in_place or p.labelled)]
    text, pictures = _joined(others)
    return (f"*{translate(OTHER_TEXT, language)}*\n\n{text[:MAX_OTHER]}" if others else ""), pictures


def _is_text(piece: Piece, below: Piece | None) -> bool:
    """Return whether a piece is text of the student's own; a short comment above own code is part of that code."""
    if not piece.is_own() or piece.spare or piece.scratch:
        return False
    short = len(letters(piece.source)) < LINE and below is not None and below.is_own("code")
    return piece.kind != "code" or (says_only(piece.source) and not short)


def _joined(pieces: list[Piece]) -> tuple[str, Pictures]:
    """Return the text of an answer's pieces, each once, and their pictures, renamed where two have the same name."""
    texts: dict[str, None] = {}
    pictures: Pictures = {}
    for piece in pieces:
        renamed: dict[str, str] = {}
        for name, picture in piece.attachments.items():
            number, free = 2, name
            while pictures.get(free, picture) != picture:
                number, free = number + 1, f"{number}-{name}"
            pictures[free] = picture
            renamed |= {f"attachment:{name}": f"attachment:{free}"} if free != name else {}
        texts[_replaced(piece.source.strip(), renamed)] = None
    return "\n\n".join(text for text in texts if text), pictures


def _replaced(text: str, names: dict[str, str]) -> str:
    if not names:
        return text
    return re.sub("|".join(map(re.escape, sorted(names, key=len, reverse=True))), lambda found: names[found[0]], text)
