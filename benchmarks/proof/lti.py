"""Rosters that are drawn at random, and pairs of senders at once: no mark goes to another person, no column is doubled.

rosters   terms of a small class: students come, go, change names and addresses, some to those of others; lines are
          written by hand. The platform's number in a line must be that of the person who has the line.
senders   two processes send the marks of a course at the same moment
"""

import multiprocessing
import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.common.course import Course
from autograder.lti.outbox import NUMBER, Row
from autograder.lti.roster import Member, match

FORKS = multiprocessing.get_context("fork")
NAMES = ("Ada Lovelace", "Wei Li", "Wei Li", "Bob Li", "Zoé Roux", "Ada Roux")


@dataclass(frozen=True)
class Person:
    """A person, who has a number on the platform and an address that the institution gave."""

    number: str
    own: str
    member: Member


def drawn_rosters(number: int, seed: int) -> Iterator[str]:
    """Yield a complaint for each line that has another person's number on the platform."""
    for each in range(seed, seed + number):
        rng = random.Random(each)
        people = [_person(rng, n) for n in range(rng.randint(2, 8))]
        # By hand, the instructor has written the institution's addresses.
        rows: list[Row] = [{"id": f"x{one.number}", "email": one.own} for one in people if rng.random() < 0.5]
        whose = {row["id"]: row["id"][1:] for row in rows}
        for _ in range(5):
            there = [one.member for one in people if rng.random() < 0.9]
            rng.shuffle(there)
            done = match(rows, there)
            rows = done.rows
            for student in done.new:  # a new line belongs to the person for whom it was made
                whose[student] = next(row[NUMBER] for row in rows if row["id"] == student)
            for row in rows:
                if row.get(NUMBER, whose[row["id"]]) != whose[row["id"]]:
                    yield f"seed {each}: the line of {whose[row['id']]} has {row[NUMBER]}"
            numbers = [row[NUMBER] for row in rows if row.get(NUMBER)]
            if len(numbers) > len(set(numbers)) or len({row["id"] for row in rows}) < len(rows):
                yield f"seed {each}: a number or an id is there twice"
            people = [_changed(rng, one, people, {*numbers}) for one in people]
            people += [_person(rng, len(people))] * (rng.random() < 0.3)


def _person(rng: random.Random, number: int) -> Person:
    first, last = rng.choice(NAMES).split()
    own = f"{first.lower()}{number if rng.random() < 0.7 else ''}@{rng.choice(('uni', 'inst'))}{number}.edu"
    known_as = f"M{number}" * (rng.random() < 0.3)
    return Person(str(number), own, Member(str(number), own, first, last, known_as))


def _changed(rng: random.Random, one: Person, people: list[Person], matched: set[str]) -> Person:
    """Return the person, perhaps with another name, or another address: a new one, or that of somebody in the class.

    Only matched people take the address of another: before that, nothing but the address says who is who.
    """
    member = one.member
    if rng.random() < 0.3:
        first, last = rng.choice(NAMES).split()
        member = replace(member, first_name=first, last_name=last)
    if rng.random() < 0.3 and one.number in matched:
        member = replace(member, email=rng.choice([f"new{rng.random()}@uni.edu", *(other.own for other in people)]))
    return replace(one, member=member)


def _send(folder: str) -> None:
    from tests.helpers.platform_class import send

    send(Course(Path(folder)), {f"s{n}": float(n) for n in range(6)})


def senders(pairs: int) -> Iterator[str]:
    """Yield a complaint for each pair of processes that made a column twice, lost a mark, or ended badly."""
    from tests.helpers.learning_platform import Platform
    from tests.helpers.platform_class import take_roster

    for number in range(pairs):
        with tempfile.TemporaryDirectory() as folder:
            there = Platform(6)
            take_roster(there.connect(Path(folder)))
            both = [FORKS.Process(target=_send, args=(folder,)) for _ in range(2)]
            for one in both:
                one.start()
            for one in both:
                one.join()
            codes = [one.exitcode for one in both]
            if any(codes) or len(there.columns) != 1 or len(there.book) != 6:
                yield f"pair {number}: {len(there.columns)} columns, {len(there.book)} marks, ended with {codes}"
            there.close()
