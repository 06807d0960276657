"""The content of a question's page as data for its script: texts as HTML that cannot run, cards in their order."""

import functools
import itertools
import statistics
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from autograder.essays.likeness import LEAST_WORDS, in_order, likenesses, near_copies, words
from autograder.essays.rubric import Rubric
from autograder.gradebook.appeals import open_appeals
from autograder.gradebook.pages import Page
from autograder.intake.roster import excused
from autograder.lesson.rubric import figures_of
from autograder.lesson.text import Lesson
from autograder.lesson.translation import LANGUAGES, model_answer, question_text
from autograder.marking.markers import drawn, shares
from autograder.marking.question import Card, MarkedQuestion

# Answers are "long" or "apart" only in a class of at least this many: in a smaller one, nothing is usual.
CLASS = 12
# An answer is "long" if it has more than LONG times the letters that nine tenths of the class do not exceed.
LONG = 3
# An answer is "apart" if its cosine with every other answer in its language is below this.
APART = 0.08
# The number of answers in one language that follow each other before those in another language.
TURN = 5
# The share of the marked answers that a second grader gets, and the smallest number of answers.
SAMPLE, LEAST_SAMPLE = 0.1, 10


@functools.lru_cache(maxsize=64)
def question_data(lesson: Lesson, name: str, language: str) -> dict[str, Any]:
    """Return a question's text and model answer in a language, without the rubric, which is part of `class_data`."""
    essay = lesson.essays[name]
    return {
        "question": Page().rendered(question_text(lesson, essay, language), {}),
        "model": Page().rendered(model_answer(lesson, essay, language), {}),
        "figures": bool(figures_of(essay)),
        "points": essay.points,
    }


def class_data(question: MarkedQuestion, *, second: bool = False) -> dict[str, Any]:
    """Return the rubric and all answers; for a `second` marking a sample of the answers, without their first marks."""
    rubric, cards = question.cards()
    unasked = excused(question.course, question.lesson.name)
    cards = {student: card for student, card in cards.items() if student not in unasked}
    common = {"rubric": rubric_data(rubric), "agreement": agreement(rubric, cards)}
    if second:
        cards = sample(cards)  # the agreement above is on all answers with a second mark, not on the sample
    name = f"{question.course.folder.name}/{question.lesson.name}/{question.essay.name}"
    order, groups, odd = arranged({student: card for student, card in cards.items() if card.row.asked}, name)
    order += sorted(cards.keys() - set(order))  # answers that were left empty
    data = {student: card_data(student, cards[student], rubric) for student in order}
    asked = open_appeals(question.course, question.lesson.name)
    marker, notes = shares(question.course, name, groups), question.store.notes()
    for student in order:
        data[student] |= handed_on(notes.get(student, {}), marker.get(student, ""))
        data[student]["appeal"] = asked.get((student, question.essay.name), "")
        data[student] |= {"group": groups.get(student, student), "odd": odd.get(student, "")}
        if second:
            data[student] |= _hidden(cards[student], rubric)
    return common | {"answers": list(data.values()), "claims": question.store.claims()}


def rubric_data(rubric: Rubric) -> dict[str, Any]:
    """Return the rubric, with its texts as markdown and as HTML."""
    texts = [{"html": {name: _inline(text) for name, text in item.text.items()}} for item in rubric.items]
    items = [item | html for item, html in zip(rubric.to_json()["items"], texts, strict=True)]
    return {"revision": rubric.revision, "items": items}


def _inline(text: str) -> str:
    """Return a line of markdown as HTML without the tags of a paragraph."""
    return Page().rendered(text, {}).strip().removeprefix("<p>").removesuffix("</p>")


def card_data(student: str, card: Card, rubric: Rubric) -> dict[str, Any]:
    """Return an answer and its mark."""
    mark, booked = card.record.mark, card.row.booked
    own = mark if card.own else None  # without the mark's details if the points were changed in formgrader
    return {
        "student": student,
        "name": card.row.name,
        "version": card.version,
        "html": card.answer.html,
        "language": card.answer.language,
        "letters": len(card.answer.text),
        "asked": card.row.asked,
        "open": booked.open,
        "score": booked.score,
        "most": card.row.most,
        "comment": booked.comment,
        "items": rubric.given(mark.items, mark.rubric) if mark else [],
        "adjustment": own.adjustment if own else 0,
        "elsewhere": not card.own,
        "changed": card.changed,
        "former": mark.text if mark and card.changed else "",
        "by": own.by if own else "",
        "at": own.at if own else "",
        "appeal": "",  # decided by a save
    }


def handed_on(note: dict[str, Any], share: str) -> dict[str, Any]:
    """Return whose an answer is, by what is noted of it or by its share, and the notes for markers."""
    return {"marker": note.get("to") or share, "share": share, "notes": note.get("notes", [])}


def _hidden(card: Card, rubric: Rubric) -> dict[str, Any]:
    """Return values that replace the first mark on a second grader's page: the second mark, or empty values."""
    second = card.record.second
    second_mark = {"items": second.items if second else [], "by": second.by if second else "", "at": ""}
    hidden = {
        "score": None,
        "comment": "",
        "adjustment": 0,
        "elsewhere": False,
        "changed": False,
        "former": "",
        "appeal": "",
    }
    return hidden | second_mark | {"open": second is None}


def sample(cards: dict[str, Card]) -> dict[str, Card]:
    """Return a tenth of the marked answers, at least ten, and the same answers at each visit."""
    marked = [student for student, card in cards.items() if card.own and card.record.mark is not None]
    # Drawn by hash, so that each grader gets the same sample, and a new mark does not reshuffle it.
    mixed = sorted(marked, key=lambda student: sha256(student.encode()).hexdigest())
    return {student: cards[student] for student in mixed[: max(LEAST_SAMPLE, round(SAMPLE * len(marked)))]}


def arranged(cards: dict[str, Card], question: str) -> tuple[list[str], dict[str, str], dict[str, str]]:
    """Return the order of answers, each answer's group of near-copies, and what is odd about some answers.

    The first answers that a person marks get more points than the later ones, so no student and no language may come
    first in every question. The order therefore begins at a student drawn by a hash of `question` (which names the
    course too, so that each visit of the page has the same order), and languages take turns. Within a language,
    near-copies and like answers are neighbours.
    """
    runs, groups, odd = list[tuple[float, list[str]]](), dict[str, str](), dict[str, str]()
    for language in LANGUAGES:
        students = [student for student, card in cards.items() if card.answer.language == language]
        students.sort(key=lambda student: drawn(question, student))
        positions, numbers, nearest = _compared(tuple(cards[student].answer.text for student in students))
        groups |= {student: students[numbers[i]] for i, student in enumerate(students)}
        odd |= {s: _oddity(cards[s].answer.text, near) for s, near in zip(students, nearest, strict=True)}
        runs += _spread([students[i] for i in positions], groups, drawn(question, language))
    order = [student for _, run in sorted(runs) for student in run]
    return order, groups, odd | _long(cards)


def _spread(students: list[str], groups: dict[str, str], start: float) -> list[tuple[float, list[str]]]:
    """Divide a language's answers into runs of about TURN, without dividing a group; return (position, run) pairs.

    The positions, from 0 to 1, spread the runs evenly over the class. They begin at `start`, and go on from 0 after 1.
    """
    runs = [students[:0]]
    for student, before in zip(students, [None, *students], strict=False):
        if len(runs[-1]) >= TURN and groups[student] != groups.get(before or ""):
            runs.append([])
        runs[-1].append(student)
    ends = itertools.accumulate(len(run) for run in runs)
    return [((end / max(1, len(students)) + start) % 1, run) for end, run in zip(ends, runs, strict=True) if run]


@functools.lru_cache(maxsize=16)
def _compared(texts: tuple[str, ...]) -> tuple[list[int], list[int], list[float]]:
    """Return an order of texts, their groups of near-copies, and each text's likeness to the text most like it."""
    if not texts:
        return [], [], []
    cosines = likenesses(texts)
    groups = near_copies(texts, cosines)
    order = in_order(groups, cosines)
    cosines[range(len(texts)), range(len(texts))] = 0  # a text is not its own neighbour
    return order, groups, cosines.max(axis=1).tolist() if len(texts) >= CLASS else [1.0] * len(texts)


def _oddity(text: str, nearest: float) -> str:
    if not text.strip():
        return "empty"
    return "apart" if nearest < APART and len(words(text)) >= LEAST_WORDS else ""


def _long(cards: dict[str, Card]) -> dict[str, str]:
    """Return "long" for each answer that is far longer than the class's."""
    lengths: Sequence[int] = [len(card.answer.text) for card in cards.values()]
    if len(lengths) < CLASS:
        return {}
    ninth_decile = statistics.quantiles(lengths, n=10, method="inclusive")[-1]
    return {student: "long" for student, card in cards.items() if len(card.answer.text) > LONG * ninth_decile}


def agreement(rubric: Rubric, cards: dict[str, Card]) -> dict[str, Any]:
    """Return the number of answers marked twice and, for each item, how often both agree, with Cohen's kappa.

    kappa = (p - e) / (1 - e), with p the share of answers on which both agree and e the share to be expected by chance
    (Cohen, 1960); None where chance alone would make them agree always.
    """
    pairs = [
        (set(rubric.given(card.record.mark.items, card.record.mark.rubric)), set(card.record.second.items))
        for card in cards.values()
        if card.record.mark is not None and card.record.second is not None
    ]
    items = {item.id: _of_item([(item.id in a, item.id in b) for a, b in pairs]) for item in rubric.items}
    return {"answers": len(pairs), "items": items if pairs else {}}


def _of_item(pairs: list[tuple[bool, bool]]) -> dict[str, Any]:
    """Return how two graders agree on one item; a pair says whether the first and the second grader gave the item."""
    if not pairs:
        return {}
    count = len(pairs)
    agreed = sum(pair[0] == pair[1] for pair in pairs)
    first, second = (sum(pair[n] for pair in pairs) / count for n in (0, 1))  # how often each gave the item
    # Expected by chance: both give the item, or neither does, if the graders decide independently of each other.
    chance = first * second + (1 - first) * (1 - second)
    kappa = None if chance == 1 else round((agreed / count - chance) / (1 - chance), 2)
    only_first, only_second = (sum(pair[n] and not pair[1 - n] for pair in pairs) for n in (0, 1))
    return {"agreed": agreed, "only_first": only_first, "only_second": only_second, "kappa": kappa}
