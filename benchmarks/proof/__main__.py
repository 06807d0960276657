"""`python -m benchmarks.proof COMMAND`: shows that the grader keeps its promises."""

import json
import sys

import click

from autograder.course import build


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Examine answers whose marks are known in advance."""


@main.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--quick", is_flag=True, help="Examine in this process instead of the sandbox.")
@click.option("--seeds", default=1, show_default=True, help="How many seeds to examine with (with --quick).")
@click.option("--only", default="", help="Only the cases whose name contains this text.")
@click.option("--attacks/--no-attacks", default=True, show_default=True, help="Grade attacks and habits as well.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verdicts(lesson_names: tuple[str, ...], quick: bool, seeds: int, only: str, attacks: bool, as_json: bool) -> None:
    """Examine every known mistake, correct variant, attack and harmless habit, and show the confusion table."""
    from benchmarks.proof import verdicts

    lessons = build.all_or_named(lesson_names)
    found = verdicts.examine_all(lessons, quick=quick, seeds=seeds, only=only)
    table = verdicts.table(found)
    if attacks and not quick:
        from benchmarks.proof.attacks import examine_attacks
        from benchmarks.proof.habits import examine_habits

        table["attacks"], table["habits"] = examine_attacks(only), examine_habits(lessons, only)
    if as_json:
        print(json.dumps(table, indent=1))
    else:
        verdicts.print_table(table)
    won = [attack for kind in table.get("attacks", {}).values() for attack in kind["won"]]
    costly = any(counts["complaints"] for counts in table.get("habits", {}).values())
    sys.exit(bool(won) or costly or any(row.complaints for row in found))


@main.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--only", default="", help="Only the habits whose name contains this text.")
def habits(lesson_names: tuple[str, ...], only: str) -> None:
    """Examine each harmless habit alone, and all together, in each lesson: none may cost a mark or raise a flag."""
    from benchmarks.proof import habits

    table = habits.examine_habits(build.all_or_named(lesson_names), only)
    habits.print_habits(table)
    sys.exit(any(counts["complaints"] for counts in table.values()))


@main.command()
@click.option("--number", default=60, show_default=True, help="Students of the class.")
def term(number: int) -> None:
    """Play a lesson of a term in which students hand in by every way: each has a mark, and a way back for feedback."""
    import tempfile
    from pathlib import Path

    from benchmarks.proof import term

    lesson = build.all_or_named(("attention",))[0]
    with tempfile.TemporaryDirectory() as folder:
        played = term.play(Path(folder), number, lesson, term.solved(lesson), term.really(lesson))
    term.print_played(played)
    sys.exit(bool(played.complaints))


@main.command()
@click.option("--number", default=10_000, show_default=True, help="Operations to do.")
@click.option("--seed", default=0, show_default=True, help="Of the operations.")
def ledger(number: int, seed: int) -> None:
    """Do random operations on a gradebook: no mark may differ from the ledger's last line, and none may be lost."""
    import tempfile
    from pathlib import Path

    from benchmarks.proof import ledger

    with tempfile.TemporaryDirectory() as folder:
        played = ledger.play(ledger.made_class(Path(folder)), number, seed)
    print(", ".join(f"{name} {count}" for name, count in played.done.most_common()))
    print("\n".join(played.complaints) or "no mark differs from the ledger's last line, and none is lost")
    sys.exit(bool(played.complaints))


@main.command()
@click.option("--number", default=1000, show_default=True, help="Rosters to draw.")
@click.option("--pairs", default=50, show_default=True, help="Pairs of senders at once.")
@click.option("--seed", default=0, show_default=True, help="Of the first roster.")
def lti(number: int, pairs: int, seed: int) -> None:
    """Draw rosters, and let two senders begin at once: no line is another person's, no column is made twice."""
    from benchmarks.proof import lti

    complaints = [*lti.drawn_rosters(number, seed), *lti.senders(pairs)]
    print("\n".join(complaints) or f"{number} rosters, {pairs} pairs of senders: nothing to complain of")
    sys.exit(bool(complaints))


@main.command()
@click.option("--students", default=300, show_default=True, help="Marks to send.")
@click.option("--kills", default=3, show_default=True, help="Kills of the sender.")
@click.option("--seed", default=0, show_default=True, help="Of the moments of the kills.")
def open_edx(students: int, kills: int, seed: int) -> None:
    """Send marks to Open edX's own package (`make open-edx`) while the sender is killed: all must be in its book."""
    import os

    from benchmarks.proof import open_edx

    complaints = [*open_edx.play(students, kills, seed)]
    cpu = sum(os.times()[:4])
    print("\n".join(complaints) or f"one column, {students} of {students} in the book, {kills} kills; {cpu:.0f} CPU-s")
    sys.exit(bool(complaints))


@main.command()
@click.option("--number", default=60, show_default=True, help="Students of the class.")
def rules(number: int) -> None:
    """Play a made-up term under the published rules of ten courses, against an independent calculation."""
    import tempfile
    from pathlib import Path

    from benchmarks.proof import rules

    with tempfile.TemporaryDirectory() as folder:
        complaints = rules.play(Path(folder), number)
    for course in rules.COURSES:
        print(f"{course.name}: {course.remainder or 'no remainder'}  {course.url}")
    print("\n".join(complaints) or f"{number} students, {len(rules.COURSES)} courses: no total is wrong")
    sys.exit(bool(complaints))


@main.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--count", default=100, show_default=True, help="Notebooks of each lesson.")
@click.option("--only", default="", help="Only the trips whose name contains this text.")
def trips(lesson_names: tuple[str, ...], count: int, only: str) -> None:
    """Send notebooks through editors, and through habits of students: no mark, no answer and no flag may change."""
    from benchmarks.proof import trips

    sys.exit(not trips.print_trips(build.all_or_named(lesson_names), count, only))


@main.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--only", default="", help="Only the mistakes whose name contains this text.")
def credit(lesson_names: tuple[str, ...], only: str) -> None:
    """Show how many of its question's points each known mistake keeps."""
    from benchmarks.proof import verdicts

    verdicts.print_credit(verdicts.examine_all(build.all_or_named(lesson_names), quick=True, only=only))


@main.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--salts", default=20, show_default=True, help="Questions that are drawn on each answer.")
def own_code(lesson_names: tuple[str, ...], salts: int) -> None:
    """Draw questions on every correct answer's own code: no key may be wrong, and guessing must not pay."""
    from benchmarks.proof import own_code

    sys.exit(not own_code.print_keys(build.all_or_named(lesson_names), salts))


@main.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--every", default=1, show_default=True, help="Try only each so many-th slip.")
def cases(lesson_names: tuple[str, ...], every: int) -> None:
    """Show how many wrong answers get a small case; no right one may differ in one."""
    from benchmarks.proof import cases

    sys.exit(not cases.print_cases(build.all_or_named(lesson_names), every))


@main.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--only", default="", help="Only the cells whose name contains this text.")
def pairs(lesson_names: tuple[str, ...], only: str) -> None:
    """Examine answers with two known mistakes: no third mistake may be named."""
    from benchmarks.proof import pairs

    lessons = build.all_or_named(lesson_names)
    tried = [pairs.examine_pair(pair) for lesson in lessons for pair in pairs.pairs(lesson, only=only)]
    pairs.print_pairs(tried)
    sys.exit(not pairs.good(tried))


@main.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--only", multiple=True, help="Only this question; may be repeated.")
def slips(lesson_names: tuple[str, ...], only: tuple[str, ...]) -> None:
    """Examine the smallest changes to the reference: each must lose points."""
    from benchmarks.proof import slips

    every = (slip for lesson in build.all_or_named(lesson_names) for slip in slips.slips(lesson))
    tried = [slips.examine_slip(slip) for slip in every if not only or slip.cell in only]
    slips.print_slips(tried)
    sys.exit(not slips.good(tried))


@main.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--only", default="", help="Only the questions whose name contains this text.")
@click.option("--two", is_flag=True, help="Two mistakes in each answer.")
def spellings(lesson_names: tuple[str, ...], only: str, two: bool) -> None:
    """Show how often a mistake is named that is spelled in another way than the catalogue's."""
    from benchmarks.proof import spellings

    lessons = build.all_or_named(lesson_names)
    tried = [spellings.examine(one) for lesson in lessons for one in spellings.spellings(lesson, only, two=two)]
    spellings.print_spellings(tried)
    sys.exit(not spellings.good(tried))


@main.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--every", default=1, show_default=True, help="Try only each so many-th mistake.")
def beside(lesson_names: tuple[str, ...], every: int) -> None:
    """Show how often a known mistake is told that has a slip beside it."""
    from benchmarks.proof import beside

    sys.exit(not beside.print_beside(build.all_or_named(lesson_names), every))


@main.command()
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@click.option("--number", default=10_000, show_default=True, help="Values to judge, over all lessons.")
@click.option("--seed", default=0, show_default=True, help="Of the first value.")
def values(lesson_names: tuple[str, ...], number: int, seed: int) -> None:
    """Show what values without sense cost the grader: 2 CPU-s and 300 MB a notebook at most."""
    from benchmarks.proof import values

    good, lessons = True, build.all_or_named(lesson_names)
    for lesson in lessons:
        found = list(values.costs(lesson, number // len(lessons), seed))
        seconds = sorted((cost.seconds, each) for each, cost in found)
        megabytes = max((cost.megabytes, each) for each, cost in found)
        print(f"{lesson.name}: {len(found)} values; median {seconds[len(seconds) // 2][0]:.3f} CPU-s,")
        print(f"  most {seconds[-1][0]:.2f} CPU-s (seed {seconds[-1][1]}), {megabytes[0]:.0f} MB (seed {megabytes[1]})")
        good &= seconds[-1][0] <= values.MOST_SECONDS and megabytes[0] <= values.MOST_MEGABYTES
    sys.exit(not good)


@main.command()
@click.option("--rounds", default=10, show_default=True, help="Classes of thirty to grade.")
@click.option("--hours", default=1.0, show_default=True, help="Begin no class after this time.")
@click.option("--seed", default=0, show_default=True, help="Of the first class; each class has its own.")
@click.option("--jobs", default=2, show_default=True, help="Worker processes.")
def siege(rounds: int, hours: float, seed: int, jobs: int) -> None:
    """Grade classes of honest, wrong, hostile and damaged work while the grader is paused and killed."""
    from benchmarks.proof.siege import besiege

    found = besiege(rounds, 3600 * hours, seed, jobs, click.echo)
    sys.exit(any(one.broken for one in found))


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.proof")
