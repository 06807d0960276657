"""What the marking page says of answers that are odd, and of who marked."""

from collections import Counter
from hashlib import sha256
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from jupyter_server.auth.identity import IdentityProvider, PasswordIdentityProvider

from autograder.common.course import WORKBOOK
from autograder.essays.marks import AnswerRecord, Booked, Mark, SecondMark
from autograder.essays.rubric import Item, Rubric
from autograder.lesson.rubric import figures_of
from autograder.lesson.text import Lesson
from autograder.marking import view
from autograder.marking.answers import Answer
from autograder.marking.book import AnswerRow
from autograder.marking.handlers import Base
from autograder.marking.question import Card

ATTENTION = Lesson.load("attention", WORKBOOK)

WORDS = ("field", "layers", "kernel", "mean", "squared", "error", "points")


def test_empty_long_and_foreign_answers_are_odd_and_others_are_not():
    usual = {f"s{n}": " ".join((*WORDS, *WORDS[: n % 7])) for n in range(12)}
    odd = {"empty": " \n", "long": " ".join(WORDS * 40), "apart": "my dog ate this because he likes to chew paper"}
    cards = {
        name: SimpleNamespace(answer=SimpleNamespace(text=text, language="en")) for name, text in (usual | odd).items()
    }
    order, _, found = view.arranged(cards, "en")
    assert {name: said for name, said in found.items() if said} == {name: name for name in odd}
    assert sorted(order) == sorted(cards)


def test_a_mark_bears_the_name_that_a_hub_tells_and_else_the_initials():
    class Hub(IdentityProvider):
        """Stands for a hub's, which knows users by name."""

    def marker(provider: type[IdentityProvider]) -> str:
        handler = object.__new__(Base)
        handler.application = SimpleNamespace(settings={"identity_provider": provider()})
        handler.current_user = SimpleNamespace(username="ines")
        return handler.grader("xy")

    assert [marker(one) for one in (Hub, IdentityProvider, PasswordIdentityProvider)] == ["ines", "xy", "xy"]


def cards_of(texts: dict[str, str], language: str = "en") -> dict[str, SimpleNamespace]:
    return {name: SimpleNamespace(answer=SimpleNamespace(text=text, language=language)) for name, text in texts.items()}


def test_in_a_small_class_nothing_is_odd_but_an_empty_answer():
    texts = {f"s{n}": f"{' '.join(WORDS)} {n}" for n in range(view.CLASS - 3)}
    odd = {"empty": "", "apart": "my dog ate this because he likes to chew paper", "long": " ".join(WORDS * 40)}
    found = view.arranged(cards_of(texts | {name: odd[name] for name in ("empty", "apart")}), "en")[2]
    assert {name: said for name, said in found.items() if said} == {"empty": "empty"}
    found = view.arranged(cards_of(texts | odd), "en")[2]  # one more, and the class is large enough
    assert {name: said for name, said in found.items() if said} == {name: name for name in odd}


def test_a_short_answer_is_not_off_the_subject_and_three_times_the_usual_is_not_long():
    texts = {f"s{n}": "x" * 10 for n in range(12)} | {"thrice": "x" * 30}
    found = view.arranged(cards_of(texts | {"short": "my dog ate this paper"}), "en")[2]
    assert set(found.values()) == {""}
    assert view.arranged(cards_of(texts | {"thrice": "x" * 31}), "en")[2]["thrice"] == "long"


def test_answers_are_each_there_once_and_copies_side_by_side():
    copy = " ".join((*WORDS, "one", "two"))
    cards = cards_of(
        {"e1": copy, "e2": "something else", "e3": copy.upper()} | {f"e{n}": f"{n} o" for n in range(4, 20)}
    )
    cards |= cards_of({"f1": "oui", "f2": "non"}, "fr") | cards_of({"z1": "是"}, "zh")
    for question in map(str, range(20)):
        order, groups, _ = view.arranged(cards, question)
        assert sorted(order) == sorted(cards) and order == view.arranged(cards, question)[0]
        assert abs(order.index("e1") - order.index("e3")) == 1 and groups["e1"] == groups["e3"]
        assert len(set(groups.values())) == len(cards) - 1
    assert view.arranged({}, "any") == ([], {}, {})


def test_no_student_and_no_language_comes_early_in_every_question():
    """Spearman's rank correlation of an answer's place with id and with language, the mean of 60 questions."""
    random, vocabulary = Random(1), [f"word{number}" for number in range(300)]
    english, french = [f"s{n:02}" for n in range(48)], [f"s{n:02}" for n in range(48, 60)]
    by_id, by_language, firsts = [], [], Counter()
    for question in map(str, range(60)):
        texts = {student: " ".join(random.choices(vocabulary, k=20)) for student in english + french}
        cards = cards_of({student: texts[student] for student in english})
        cards |= cards_of({student: texts[student] for student in french}, "fr")
        order = view.arranged(cards, question)[0]
        places = [order.index(student) for student in sorted(cards)]
        by_id.append(np.corrcoef(places, range(60))[0, 1])
        by_language.append(np.corrcoef(places, [student in french for student in sorted(cards)])[0, 1])
        firsts[order[0]] += 1
    assert abs(np.mean(by_id)) < 0.1 and abs(np.mean(by_language)) < 0.1
    assert max(firsts.values()) < 6 and any(student in french for student in firsts)


def test_a_grader_reads_a_language_in_runs():
    cards = cards_of({f"e{n}": f"{n} one" for n in range(20)}) | cards_of({f"f{n}": f"{n} un" for n in range(20)}, "fr")
    order = "".join(student[0] for student in view.arranged(cards, "question")[0])
    assert order.count("ef") + order.count("fe") < 12


def marked(*names: str, own: bool = True) -> dict[str, SimpleNamespace]:
    return {name: SimpleNamespace(own=own, record=SimpleNamespace(mark=object())) for name in names}


@pytest.mark.parametrize(("size", "number"), [(0, 0), (9, 9), (10, 10), (104, 10), (106, 11), (300, 30)])
def test_a_second_grader_gets_a_tenth_and_at_least_ten_of_the_marked_answers(size, number):
    cards = marked(*(f"s{n}" for n in range(size)))
    elsewhere = marked("elsewhere", own=False)
    waiting = {"waits": SimpleNamespace(own=True, record=SimpleNamespace(mark=None))}
    drawn = view.sample(cards | elsewhere | waiting)
    assert len(drawn) == number and set(drawn) <= set(cards)


def test_the_sample_of_a_class_stays_and_is_not_that_of_the_first_names():
    cards = marked(*(f"s{n:03}" for n in range(200)))
    drawn = list(view.sample(cards))
    assert drawn == list(view.sample(dict(reversed(cards.items()))))
    assert drawn == sorted(cards, key=lambda one: sha256(one.encode()).hexdigest())[:20] != sorted(cards)[:20]


ITEMS = Rubric((Item("a", 1, {"en": "the *mean*", "fr": ""}, {}), Item("b", 0.5, {"en": "b"}, {})), 2)


def one_card(mark: Mark | None, booked: Booked, second: SecondMark | None = None, text: str = "new") -> Card:
    answer = Answer(text, "fr", "hash", {})
    entry = AnswerRecord(1, mark, (), second)
    return Card(AnswerRow(booked, 3, "Zoé O'Neil"), entry, answer, entry.matches_gradebook(booked, ITEMS, 3))


def given(*items: str, answer: str = "hash") -> Mark:
    return Mark(list(items), 0.25, 2, answer, "old", "ines", "then")


def test_a_card_shows_our_mark_with_who_and_when():
    card = one_card(given("a"), Booked(1.25, False, "Well seen"))
    assert view.card_data("zoé", card, ITEMS) == {
        "student": "zoé",
        "name": "Zoé O'Neil",
        "version": card.version,
        "html": card.answer.html,
        "language": "fr",
        "letters": 3,
        "asked": True,
        "open": False,
        "score": 1.25,
        "most": 3,
        "comment": "Well seen",
        "items": ["a"],
        "adjustment": 0.25,
        "elsewhere": False,
        "changed": False,
        "former": "",
        "by": "ines",
        "at": "then",
        "appeal": "",
    }


def test_a_mark_from_elsewhere_keeps_its_items_and_has_nobodys_name():
    shown = view.card_data("zoé", one_card(given("a"), Booked(2, False, "")), ITEMS)
    assert shown["elsewhere"] and (shown["items"], shown["adjustment"]) == (["a"], 0)
    assert (shown["by"], shown["at"], shown["score"]) == ("", "", 2)


def test_an_answer_that_changed_shows_the_one_that_was_marked():
    shown = view.card_data("zoé", one_card(given("a", answer="old hash"), Booked(1.25, False, "")), ITEMS)
    assert shown["changed"] and shown["former"] == "old"


def test_an_answer_without_a_mark_has_no_items():
    shown = view.card_data("zoé", one_card(None, Booked(None, True, "")), ITEMS)
    assert (shown["items"], shown["by"], shown["former"], shown["open"], shown["score"]) == ([], "", "", True, None)
    assert not shown["changed"] and not shown["elsewhere"]
    assert not view.card_data("zoé", one_card(None, Booked(None, False, "")), ITEMS)["asked"]


def test_a_second_grader_sees_nothing_of_the_first_mark_and_the_own_one_again():
    booked = Booked(1.25, False, "Well seen")
    first = view.card_data("zoé", one_card(given("a", answer="x"), booked), ITEMS)
    blind = first | view._hidden(one_card(given("a", answer="x"), booked), ITEMS)
    told = ("open", "score", "comment", "items", "adjustment", "elsewhere", "changed", "former", "by", "at")
    assert {name: blind[name] for name in told} == {
        "open": True,
        "score": None,
        "comment": "",
        "items": [],
        "adjustment": 0,
        "elsewhere": False,
        "changed": False,
        "former": "",
        "by": "",
        "at": "",
    }
    again = view._hidden(one_card(given("a"), booked, SecondMark(["b"], "bob", "now")), ITEMS)
    assert (again["items"], again["by"], again["open"]) == (["b"], "bob", False)


def test_a_rubric_is_shown_with_its_texts_as_html_without_a_paragraph():
    told = view.rubric_data(ITEMS)
    first = told["items"][0]
    assert told["revision"] == 2 and first["html"] == {"en": "the <em>mean</em>", "fr": ""}
    assert {name: first[name] for name in ("id", "points", "text", "words")} == {
        "id": "a",
        "points": 1,
        "text": {"en": "the *mean*", "fr": ""},
        "words": {},
    }


def test_the_questions_texts_are_in_the_language_with_its_points():
    told = view.question_data(ATTENTION, "why_convolutions_fail", "fr")
    other = view.question_data(ATTENTION, "why_convolutions_fail", "en")
    assert (told["points"], told["figures"]) == (3, bool(figures_of(ATTENTION.essays["why_convolutions_fail"])))
    assert told["question"] != other["question"] and told["model"] != other["model"] and "<" in told["model"]
    assert {view.question_data(ATTENTION, name, "en")["figures"] for name in ATTENTION.essays} == {
        bool(figures_of(essay)) for essay in ATTENTION.essays.values()
    }
