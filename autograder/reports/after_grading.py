"""The output of `workbook grade`: what needs a person, what changed, the new marks, then the class in a few lines."""

from collections import Counter
from textwrap import shorten

from rich.table import Table
from rich.text import Text

from autograder.common.course import Course
from autograder.common.version import workbook_version
from autograder.gradebook.log import Log, read_log
from autograder.gradebook.roll import EXCUSED, GRADED, MISSING, TO_GRADE, WAITS, Member, Roll, roll_of
from autograder.gradebook.summary import RunSummary
from autograder.intake.notebook import UNREADABLE, WRONG_LESSON
from autograder.lesson.text import TEST_PREFIX, Lesson
from autograder.reports import terminal
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
        _say(f"… and {len(shown) - MOST_NEW} more that are new: `workbook grade {lesson.name} --all` lists everybody.")
    _say(summed_up(lesson, roll, logs))
    _print_versions(Counter(str(log.get("version", "")) for s, log in logs.items() if log and s not in summary.failed))
    if (course / "feedback").is_dir():
        _say(f"Feedback: {course / 'feedback'}/STUDENT/{lesson.name}/{lesson.name}.html")


def _is_quiet(member: Member, logs: dict[str, Log]) -> bool:
    """Return whether nobody has to look at a submission."""
    return member.marks is not None and not logs[member.student].get("flags")


def _say(sentence: str) -> None:
    terminal.console.print(sentence, markup=False, highlight=False, soft_wrap=True)


def _print_marks(
    lesson: Lesson, most: float, shown: list[Member], logs: dict[str, Log], summary: RunSummary, *, everybody: bool
) -> None:
    table = Table(title=f"{lesson.name}: {len(summary.graded)} graded, {len(summary.unchanged)} unchanged")
    table.add_column("student", overflow="fold", max_width=terminal.NAME_WIDTH)
    table.add_column(f"of {most:g}", justify="right", no_wrap=True)
    table.add_column("what cost points, and what to look at", overflow="fold")
    for member in shown:
        remarks = remarks_of(member, logs[member.student])
        if not everybody and len(remarks) > MOST_LINES:
            remarks[MOST_LINES - 1 :] = [f"… and {len(remarks) - MOST_LINES + 1} more lines"]
        own = member.most(lesson.of_role("test", "essay"))
        mark = _mark(member) + (f" / {own:g}" if own != most and member.marks else "")
        table.add_row(Text(printable(member.student)), mark, Text("\n".join(map(printable, remarks))))
    if shown:
        terminal.console.print(table)
    else:
        _say(f"{lesson.name}: nothing new, {len(summary.unchanged)} unchanged.")


def _mark(member: Member) -> str:
    marks = member.marks
    return member.state if marks is None else f"{round(marks.total, 2):g}" + "+" * bool(marks.waiting)


def remarks_of(member: Member, log: Log) -> list[str]:
    """Return the reason for a missing mark; else the late penalty, the reasons for lost points, flags and mendings."""
    if member.marks is None:
        return [member.reason] if member.reason else []
    marks = member.marks
    late = [f"late by {marks.seconds_late / 3600:.1f} h: {-marks.penalty:g}"] if marks.penalty else []
    flags = [f"flag: {_short(flag)}" for flag in log.get("flags", [])[:2]]
    return late + _lost(log) + flags + [f"mended: {_short(message)}" for message in log.get("mended", [])[:2]]


def _lost(log: Log) -> list[str]:
    """Return a line for each reason why questions lost points, with these questions; only a question's first reason."""
    by_reason: dict[str, list[str]] = {}
    for question in log.get("questions", []):
        if failed := [test for test in question["tests"] if not test["passed"]]:
            name = question["id"].removeprefix(TEST_PREFIX)
            earned = f"{name} {question['points']:g}/{question['max_points']:g}"
            by_reason.setdefault(failed[0]["reason"], []).append(earned)
    return [f"{', '.join(questions)}: {_short(reason)}" for reason, questions in by_reason.items()]


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
    mean = f", mean {sum(totals) / len(totals):.1f} of {most:g}" if final else ""
    parts = [f"{counts[GRADED]} graded{mean}"]
    parts += [f"{counts[WAITS]} wait for a person (+)"] if counts[WAITS] else []
    late, flagged = sum(m.seconds_late > 0 for m in marks.values()), [s for s in marks if logs[s].get("flags")]
    parts += [f"{late} late"] if late else []
    parts += [f"{len(flagged)} flagged ({terminal.first_names(flagged)})"] if flagged else []
    others = (UNREADABLE, WRONG_LESSON, TO_GRADE, EXCUSED, MISSING)
    parts += [f"{counts[state]} {state}" for state in others if counts[state]]
    return f"{len(roll.members)} students: {'; '.join(parts)}."


def _print_needs(lesson: Lesson, roll: Roll, summary: RunSummary) -> None:
    """Print the cases that need a person."""
    for student, member in roll.of_state(UNREADABLE, WRONG_LESSON).items():
        address = f" <{email}>" if (email := member.row.get("email", "")) else ""
        _say(f"Write to: {printable(student)}{address}, {member.state}: {printable(member.reason)}")
    for student, reason in summary.failed.items():
        if student not in roll.of_state(UNREADABLE):  # those are above, with an address to write to
            _say(f"Not graded: {printable(student)} {printable(reason)}")
    for student, reason in summary.without_page.items():
        _say(f"No feedback, marks are safe: {printable(student)} {printable(reason)}")
    if unknown := [student for student, marks in roll.marks().items() if marks.no_time]:
        _say(f"No penalty, because it is not known when they handed in: {_names(unknown)}.")
    if summary.strangers:
        _say(
            f"Not graded, because not in students.csv: {_names(summary.strangers)}. Write the name into that student's "
            f"`names`, and type `workbook collect {lesson.name}`; or add a line for the student."
        )


def _print_news(summary: RunSummary, *, everybody: bool) -> None:
    """Print what changed: questions, and marks; only the first of many marks, unless `everybody` is true."""
    if summary.lost:
        _say(f"Marks by hand that are in the ledger but not in the gradebook: {summary.lost}; type: workbook restore")
    for sentence in summary.news:
        _say(sentence)
    reasons = {student: f" ({printable(reason)})" for student, reason in summary.moved_by.items() if reason}
    moved = [f"{printable(s)} {old:g} → {new:g}{reasons.get(s, '')}" for s, (old, new) in sorted(summary.moved.items())]
    shown = moved if everybody else moved[: terminal.MOST_NAMES]
    for change in shown:
        _say(f"Another mark: {change}")
    if len(moved) > len(shown):
        _say(f"… of {len(moved)} marks that changed; --all names them, `workbook history STUDENT` tells why.")


def _names(students: list[str]) -> str:
    """Return a list of names in one line; of a long list, the first names and the number of all."""
    counted = f" ({len(students)} in all)" if len(students) > terminal.MOST_NAMES else ""
    return terminal.first_names(students) + counted


def _print_versions(versions: Counter[str]) -> None:
    """Print the version of this workbook, and how many marks other versions gave."""
    ours = workbook_version()
    _say(f"Graded by the workbook {ours}.")
    for version, number in sorted(versions.items()):
        if version != ours:
            name = version or "an older version"
            _say(f"{number} marks were given by {name}; nothing that they depend on has changed since.")
