"""The output of `workbook grade`: what needs a person, what changed, the new marks, then the class in a few lines."""

from collections import Counter
from textwrap import shorten

from rich.table import Table
from rich.text import Text

from autograder.common.course import Course
from autograder.common.sentences import T_, joined, number, translated
from autograder.common.version import workbook_version
from autograder.gradebook.log import Log, read_log
from autograder.gradebook.roll import EXCUSED, GRADED, MISSING, TO_GRADE, WAITS, Member, Roll, roll_of
from autograder.gradebook.summary import RunSummary
from autograder.intake.notebook import UNREADABLE, WRONG_LESSON
from autograder.lesson.text import TEST_PREFIX, Lesson
from autograder.reports import terminal
from utils.common.messages import N_, SEMICOLON
from utils.common.printable import printable

# Without `--all`, at most so many new marks are listed, in so many lines each: a class of 300 fits on a screen.
MOST_NEW, MOST_LINES = 10, 2
# The most characters of a reason, which is cut at the end of a word.
REASON_WIDTH = 160


def print_class(course: Course, lesson: Lesson, summary: RunSummary, *, everybody: bool = False) -> None:
    """Show what needs a person and what changed, then the new marks or those of everybody, and sum up the class."""
    roll = roll_of(course, lesson.name)
    logs = {student: read_log(course, lesson.name, student) for student in roll.members}
    # Students without a submission have no row even with `everybody`: the last line counts them.
    new = set(summary.graded)
    shown = [member for name, member in roll.members.items() if name in new or (everybody and member.state != MISSING)]
    _print_needs(lesson, roll, summary)
    _print_news(summary, everybody=everybody)
    if not everybody:  # those that a person has to look at first, and those whose mark changed
        shown.sort(key=lambda member: (_is_quiet(member, logs), member.student not in summary.moved))
    listed = shown if everybody else shown[:MOST_NEW]
    _print_marks(lesson, roll.most(lesson), listed, logs, summary, everybody=everybody)
    if not everybody and len(shown) > MOST_NEW:
        more = N_("… and {number} more that are new: `{command}` lists everybody.")
        _say(T_(more, number=len(shown) - MOST_NEW, command=f"workbook grade {lesson.name} --all"))
    _say(summed_up(lesson, roll, logs))
    _print_versions(Counter(str(log.get("version", "")) for s, log in logs.items() if log and s not in summary.failed))
    if (course / "feedback").is_dir():
        pages = course / "feedback" / "STUDENT" / lesson.name / f"{lesson.name}.html"
        _say(T_("Feedback: {pages}", pages=pages))


def _is_quiet(member: Member, logs: dict[str, Log]) -> bool:
    """Return whether nobody has to look at a submission."""
    return member.marks is not None and not logs[member.student].get("flags")


def _say(sentence: str) -> None:
    terminal.console.print(sentence, markup=False, highlight=False, soft_wrap=True)


def _print_marks(
    lesson: Lesson, most: float, shown: list[Member], logs: dict[str, Log], summary: RunSummary, *, everybody: bool
) -> None:
    numbers = {"lesson": lesson.name, "graded": len(summary.graded), "unchanged": len(summary.unchanged)}
    table = Table(title=T_("{lesson}: {graded} graded, {unchanged} unchanged", **numbers))
    table.add_column(T_("student"), overflow="fold", max_width=terminal.NAME_WIDTH)
    table.add_column(T_("of {most:g}", most=most), justify="right", no_wrap=True)
    table.add_column(T_("what cost points, and what to look at"), overflow="fold")
    for member in shown:
        remarks = remarks_of(member, logs[member.student])
        if not everybody and len(remarks) > MOST_LINES:
            remarks[MOST_LINES - 1 :] = [T_("… and {number} more lines", number=len(remarks) - MOST_LINES + 1)]
        own = member.most(lesson.of_role("test", "essay"))
        mark = _mark(member) + (f" / {number(own):g}" if own != most and member.marks else "")
        table.add_row(Text(printable(member.student)), mark, Text("\n".join(map(printable, remarks))))
    if shown:
        terminal.console.print(table)
    else:
        _say(T_("{lesson}: nothing new, {unchanged} unchanged.", **numbers))


def _mark(member: Member) -> str:
    if member.marks is None:
        return translated(member.state)
    return f"{number(round(member.marks.total, 2)):g}" + "+" * bool(member.marks.waiting)


def remarks_of(member: Member, log: Log) -> list[str]:
    """Return the reason for a missing mark; else the late penalty, the reasons for lost points, flags and mendings."""
    if member.marks is None:
        return [member.reason] if member.reason else []
    marks = member.marks
    hours = marks.seconds_late / 3600
    late = [T_("late by {hours:.1f} h: {points:g}", hours=hours, points=-marks.penalty)] if marks.penalty else []
    flags = [T_("flag: {flag}", flag=_short(flag)) for flag in log.get("flags", [])[:2]]
    mended = [T_("repaired: {message}", message=_short(message)) for message in log.get("mended", [])[:2]]
    return late + _lost(log) + flags + mended


def _lost(log: Log) -> list[str]:
    """Return a line for each reason why questions lost points, with these questions; only a question's first reason."""
    by_reason: dict[str, list[str]] = {}
    for question in log.get("questions", []):
        if failed := [test for test in question["tests"] if not test["passed"]]:
            name = question["id"].removeprefix(TEST_PREFIX)
            earned = f"{name} {number(question['points'] or 0):g}/{number(question['max_points']):g}"
            by_reason.setdefault(failed[0]["reason"], []).append(earned)
    lost = N_("{name}: {value}")
    return [T_(lost, name=joined(questions), value=_short(reason)) for reason, questions in by_reason.items()]


def _short(text: str) -> str:
    return shorten(text, REASON_WIDTH, placeholder=" …")


def summed_up(lesson: Lesson, roll: Roll, logs: dict[str, Log]) -> str:
    """Return the class in one line: its mean, and how many are in each state."""
    most, questions = roll.most(lesson), lesson.of_role("test", "essay")
    # The mean is of final marks only: the points of a mark that waits for a person are not complete.
    final, marks = roll.marks(GRADED), roll.marks()
    counts = Counter(member.state for member in roll.members.values())
    # Students of another track have other questions, so their points are brought to one scale.
    totals = [m.total * most / (roll.members[s].most(questions) or 1.0) for s, m in final.items()]
    graded = {"number": counts[GRADED], "most": most}
    mean = sum(totals) / len(totals) if totals else 0.0
    with_mean = N_("{number} graded, mean {mean:.1f} of {most:g}")
    parts = [T_(with_mean, **graded, mean=mean) if final else T_("{number} graded", **graded)]
    parts += [T_("{number} wait for a person (+)", number=counts[WAITS])] if counts[WAITS] else []
    late, flagged = sum(m.seconds_late > 0 for m in marks.values()), [s for s in marks if logs[s].get("flags")]
    parts += [T_("{number} late", number=late)] if late else []
    names = terminal.first_names(flagged)
    parts += [T_("{number} flagged ({names})", number=len(flagged), names=names)] if flagged else []
    others = (UNREADABLE, WRONG_LESSON, TO_GRADE, EXCUSED, MISSING)
    left = [state for state in others if counts[state]]
    parts += [T_("{number} {state}", number=counts[state], state=translated(state)) for state in left]
    return T_("Students: {number}; {parts}.", number=len(roll.members), parts=T_(SEMICOLON).join(parts))


def _print_needs(lesson: Lesson, roll: Roll, summary: RunSummary) -> None:
    """Print the cases that need a person."""
    for student, member in roll.of_state(UNREADABLE, WRONG_LESSON).items():
        address = f" <{email}>" if (email := member.row.get("email", "")) else ""
        about = {"student": student, "address": address, "state": translated(member.state), "reason": member.reason}
        _say(T_("Write to: {student}{address}, {state}: {reason}", **about))
    for student, reason in summary.failed.items():
        if student not in roll.of_state(UNREADABLE):  # those are above, with an address to write to
            _say(T_("Not graded: {student} {reason}", student=student, reason=reason))
    for student, reason in summary.without_page.items():
        _say(T_("No feedback, marks are safe: {student} {reason}", student=student, reason=reason))
    if unknown := [student for student, marks in roll.marks().items() if marks.no_time]:
        _say(T_("No penalty, because it is not known when they handed in: {names}.", names=_names(unknown)))
    if summary.strangers:
        strangers = N_(
            "Not graded, because not in students.csv: {names}. Write the name into that student's `names`, and type "
            "`{command}`; or add a line for the student."
        )
        _say(T_(strangers, names=_names(summary.strangers), command=f"workbook collect {lesson.name}"))


def _print_news(summary: RunSummary, *, everybody: bool) -> None:
    """Print what changed: questions, and marks; only the first of many marks, unless `everybody` is true."""
    if summary.lost:
        lost = N_("Marks by hand that are in the ledger but not in the gradebook: {number}; type: workbook restore")
        _say(T_(lost, number=summary.lost))
    for sentence in summary.news:
        _say(sentence)
    reasons = {student: f" ({printable(reason)})" for student, reason in summary.moved_by.items() if reason}
    moved = [
        f"{printable(s)} {number(old):g} → {number(new):g}{reasons.get(s, '')}"
        for s, (old, new) in sorted(summary.moved.items())
    ]
    shown = moved if everybody else moved[: terminal.MOST_NAMES]
    for change in shown:
        _say(T_("Mark changed: {change}", change=change))
    if len(moved) > len(shown):
        more = N_("… of {number} marks that changed; --all lists them, `workbook history STUDENT` says why.")
        _say(T_(more, number=len(moved)))


def _names(students: list[str]) -> str:
    """Return a list of names in one line; of a long list, the first names and the number of all."""
    names = terminal.first_names(students)
    if len(students) <= terminal.MOST_NAMES:
        return names
    return T_("{names} ({number} in all)", names=names, number=len(students))


def _print_versions(versions: Counter[str]) -> None:
    """Print the version of this workbook, and how many marks other versions gave."""
    ours = workbook_version()
    _say(T_("Graded by the workbook {version}.", version=ours))
    given = N_("Marks given by {version}: {number}; nothing that they depend on has changed since.")
    for version, count in sorted(versions.items()):
        if version != ours:
            _say(T_(given, number=count, version=version or T_("an older version")))
