"""Commands for a course, in the order of a term: made, handed out, graded, reported, cleaned up."""

import os
import sys
from pathlib import Path

import click

from autograder.commands.which import COURSE, LESSON, needs, wrote
from autograder.common.course import Course
from autograder.common.paths import course_above
from autograder.common.sentences import T_, joined, speak
from autograder.speed import loading
from utils.common.messages import N_, SEMICOLON, in_context


@click.command(short_help="Make a course in a new folder.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--name", required=True, help="The course's name in nbgrader and the exchange, such as dl2026.")
@click.option("--language", default="en", show_default=True, help="Language of the notebooks to release.")
@click.option(
    "--address", default="", metavar="URL", help="Web address from which students get the modules, if there is one."
)
@click.option("--exchange", type=click.Path(path_type=Path), help="nbgrader's exchange folder, if there is one.")
@click.option("--from", "old", metavar="OLD", type=click.Path(path_type=Path), help="Copy another term's course.")
@click.option("--shift", default="52w", show_default=True, metavar="TIME", help="With --from: by how much dates move.")
def new(
    folder: Path, name: str, language: str, address: str, exchange: Path | None, old: Path | None, shift: str
) -> None:
    """Make a course: a folder with its students, submissions and marks, which uses the workbook."""
    from autograder.course import new

    speak(Course(course_above(old)).language if old else language)
    if old:
        from autograder.gradebook import again

        written = again.copy(Course(course_above(old)), folder.resolve(), name, shift)
    else:
        written = new.make(folder, name, language, address, exchange)
    for path in written:
        print(wrote(path))
    print(T_("For the next steps, see {file}", file=folder / "README.md"))


@click.command(short_help="Write the students' files into bundle/.")
@COURSE
def bundle(course: Course) -> None:
    """Write what students get into COURSE/bundle/: the modules, the lessons opened so far, and a zip of both."""
    from autograder.course import bundle as bundling
    from autograder.gradebook.configuration import configuration
    from autograder.gradebook.opening import opened_lessons

    address = configuration(course).Stamp.get("address", "")
    for path in bundling.write(course, address, opened_lessons(course)):
        print(f"{wrote(path.relative_to(course.folder))} ({path.stat().st_size / 1000:,.0f} kB)")


@click.command("open", short_help="Open a lesson to students, or update it.")
@LESSON
@click.option("--due", default="", metavar="TIME", help="Due date, such as 2030-01-31 23:59; without it, unchanged.")
@click.option("--points", multiple=True, metavar="QUESTION=NUMBER", help="Points in place of the workbook's.")
@COURSE
def open_lesson(lesson_name: str, due: str, points: tuple[str, ...], course: Course) -> None:
    """Do everything that is needed before students can begin; after an update, redo what has changed."""
    course.parts_of(lesson_name)
    with loading.quickly():
        from autograder.gradebook import opening
        from autograder.lesson.text import Lesson

    if points:
        print(opening.set_points(course, lesson_name, points))
    for sentence in opening.open_lesson(course, Lesson.load(lesson_name, course), due):
        print(sentence)


@click.command(short_help="Collect what students handed in.")
@LESSON
@COURSE
def collect(lesson_name: str, course: Course) -> None:
    """Collect submissions from the exchange and from platforms' archives; list what you have to decide."""
    course.parts_of(lesson_name)
    with loading.quickly():
        from autograder.gradebook import collecting
        from autograder.reports import terminal

    terminal.print_collected(lesson_name, collecting.collect(course, lesson_name))


@click.command(short_help="Grade what is new or changed.")
@LESSON
@COURSE
@click.option("--jobs", default=1, show_default=True, help="Worker processes; the number of cores is a good choice.")
@click.option("--scheduler", default="", metavar="ADDRESS", help="Examine on a Dask cluster, tcp://host:port.")
@click.option("--force", is_flag=True, help="Write the results of unchanged submissions, too.")
@click.option("--feedback/--no-feedback", default=True, show_default=True, help="Write feedback/ as well.")
@click.option("--all", "everybody", is_flag=True, help="List everybody's marks, not only new ones.")
def grade(
    lesson_name: str, course: Course, jobs: int, scheduler: str, force: bool, feedback: bool, everybody: bool
) -> None:
    """Grade new and changed submissions, in parallel, into gradebook.db, autograded/ and feedback/."""
    from autograder.course import new
    from autograder.gradebook import grade as grading
    from autograder.gradebook import state
    from autograder.sandbox import container, launch

    course.parts_of(lesson_name)  # a wrong name is an error at once, before anything heavy is loaded
    if course.adds and lesson_name in course.own:
        scheduler = ""  # a cluster's workers have the workbook's lessons alone
    if written := new.ensure_configured(course.folder):
        print(T_("wrote {file}: with it, nbgrader's own commands use the sandbox, too", file=written))
    if not scheduler:  # a cluster's workers have their own sandbox
        options = ["--course", str(course), "--jobs", str(jobs)]
        options += ["--force"] * force + ["--no-feedback"] * (not feedback) + ["--all"] * everybody
        container.instead(["grade", lesson_name, *options], course.folder)
    done = state.Done(course, lesson_name)
    # With nothing new, the command ends here, before torch and nbgrader are loaded.
    number = 0 if force else grading.all_unchanged(course, lesson_name)
    if number and not everybody and not (feedback and done.owed.exists()):
        print(T_("All submissions ({number}) are graded and unchanged; --all lists them.", number=number))
        return
    if jobs == 1 and not number and not scheduler:
        launch.begin_if_possible(course)  # the sandbox's parent loads torch while this process loads the rest
    with loading.quickly():
        from autograder.examine import examiner  # noqa: F401 - with torch, which the grading needs later
        from autograder.gradebook import converters
        from autograder.lesson.text import Lesson
        from autograder.reports import after_grading, terminal

    with terminal.bar() as on_step:
        summary = grading.grade(
            lesson_name, course=course, jobs=jobs, scheduler=scheduler, force=force, on_step=on_step
        )
    if feedback:
        _, summary.without_page = converters.feedback(course, lesson_name, force=force)
    # A page that could not be made is owed: the next run tries again instead of reporting that all is unchanged.
    converters.settle(course, done, feedback=feedback and not summary.without_page)
    after_grading.print_class(course, Lesson.load(lesson_name, course), summary, everybody=everybody)
    # Scripts see by the status that some submissions need a person; the others are graded all the same.
    sys.exit(bool(summary.failed or summary.without_page))


@click.command(short_help="Grade each hand-in as it arrives.")
@click.argument("lesson_names", metavar="[LESSONS]...", nargs=-1)
@COURSE
@click.option("--jobs", default=1, show_default=True, help="Worker processes, which stay ready.")
def watch(lesson_names: tuple[str, ...], course: Course, jobs: int) -> None:
    """Grade each hand-in as it arrives, and return its feedback through the exchange; press Ctrl-C to end."""
    from datetime import datetime

    for name in lesson_names:
        course.parts_of(name)
    with loading.quickly():
        from autograder.gradebook import watching

    def say(sentence: str) -> None:
        print(f"{datetime.now():%H:%M:%S} {sentence}", flush=True)

    names = list(lesson_names) or course.in_order()
    watcher = watching.Watcher(course, names, jobs, say)
    say(T_("watching {folder} for {lessons}; Ctrl-C ends it", folder=watcher.exchange, lessons=joined(names)))
    try:
        watcher.run()
    except watching.Anew:
        say(T_("the workbook or a lesson has changed: restarting"))
        os.execv(sys.executable, sys.orig_argv)  # with all modules and hashes loaded again
    finally:
        watcher.close()


@click.command(short_help="Show students of a hub their own attempts.")
@COURSE
def attempts(course: Course) -> None:
    """Serve a page on which each student sees her own attempts; a JupyterHub starts this command."""
    with needs("hub"):
        from autograder.reports import own_attempts

    own_attempts.serve(course)


@click.command(short_help="Mark a lesson's essays in the browser.")
@LESSON
@COURSE
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page in a browser.")
@click.option(
    "--marker", default="", metavar="NAME", help="Start a server for one marker, with this page alone and no names."
)
def mark(lesson_name: str, course: Course, browser: bool, marker: str) -> None:
    """Mark a lesson's essays in the browser, question by question for the whole class; press Ctrl-C to end."""
    from autograder.marking import serve

    course.parts_of(lesson_name)
    serve.serve(course, lesson_name, browser=browser and not marker, marker=marker)


@click.command(short_help="Show how a student's marks came about.")
@click.argument("student")
@click.argument("lesson_name", metavar="[LESSON]", default="")
@COURSE
def history(student: str, lesson_name: str, course: Course) -> None:
    """Show who changed a student's marks, when, with what, and why."""
    with loading.quickly():
        from autograder.gradebook import history as ledger

    for sentence in ledger.history(course, student, lesson_name):
        print(sentence)


@click.command(short_help="Restore a lost gradebook and its marks.")
@COURSE
@click.option("--yes", is_flag=True, help="Enter all marks again without asking.")
def restore(course: Course, yes: bool) -> None:
    """Restore a lost gradebook, and enter the marks by hand, comments and due dates that it lacks."""
    from autograder.gradebook import restore as restoring
    from autograder.sandbox import container

    container.instead(["restore", "--course", str(course), *["--yes"] * yes], course.folder)
    for sentence in restoring.restore(course):
        print(sentence)
    lost = restoring.lacking(course)
    for cell, mark in lost.items():
        print(restoring.said(cell, mark))
    question = T_("These are in the ledger but not in the gradebook. Enter them again?")
    if lost and (yes or click.confirm(question, True)):
        restoring.book(course, lost)
    elif lost:
        restoring.drop(course, lost)
    else:
        print(T_("The gradebook has all marks by hand."))


@click.command(short_help="Show the state of each lesson.")
@COURSE
def status(course: Course) -> None:
    """Show for each lesson what is released, collected, graded, waiting for a person, and returned."""
    with loading.quickly():
        from autograder.reports import terminal
        from autograder.reports.status import status

    terminal.print_status(status(course))


@click.command(short_help="Show marks and mistakes by question.")
@LESSON
@COURSE
@click.option("--html", is_flag=True, help="Write COURSE/report/LESSON.html, and the same as CSV and JSON.")
def report(lesson_name: str, course: Course, html: bool) -> None:
    """Show, question by question, what the class earned and which mistakes it made."""
    with loading.quickly():
        from autograder.lesson.text import Lesson
        from autograder.reports import terminal

    if html:
        from autograder.reports.report import write_report

        for path in write_report(course, Lesson.load(lesson_name, course)):
            print(wrote(path))
        return
    terminal.print_questions(course, Lesson.load(lesson_name, course))


@click.command(short_help="Write each student's marks in all lessons.")
@COURSE
@click.option("--excel", default="", metavar="LANGUAGE", help="Excel's language; by default, the course's.")
def term(course: Course, excel: str) -> None:
    """Write the term: each student's marks in all lessons, with a weighted total, as a page and as CSV."""
    with loading.quickly():
        from autograder.reports.term import write_term

    for path in write_term(course, excel):
        print(wrote(path))


@click.command(short_help="Write marks for Moodle, Canvas or a table.")
@LESSON
@click.option(
    "--to", "system", default="csv", show_default=True, help="What will read the file: csv, moodle or canvas."
)
@COURSE
@click.option("--title", default="", help="What the platform calls the assignment; by default, as in course.toml.")
@click.option("--out-of", type=click.FloatRange(min=0, min_open=True), help="What the marks are out of, such as 20.")
@click.option("--excel", default="", metavar="LANGUAGE", help="Excel's language, for csv; by default, the course's.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="The file to write; by default, COURSE/LESSON-SYSTEM.csv."
)
def export(
    lesson_name: str, system: str, course: Course, title: str, out_of: float | None, excel: str, output: Path | None
) -> None:
    """Write the marks as a table that Moodle, Canvas or a spreadsheet reads."""
    from autograder.common.paths import write_whole

    with loading.quickly():
        from autograder.gradebook.configuration import course_language
        from autograder.gradebook.roll import WAITS, roll_of
        from autograder.lesson.text import Lesson
        from autograder.reports.export import export

    language = excel or course_language(course)
    remarks: list[str] = []
    lesson = Lesson.load(lesson_name, course)
    text = export(course, lesson, system, title, out_of, language=language, remarks=remarks)
    output = output or course / f"{lesson_name}-{system}.csv"
    write_whole(output, text)
    print("\n".join([wrote(output), *remarks]))
    if waiting := len(roll_of(course, lesson_name).of_state(WAITS)):
        print(T_("Marks that are not final, because an answer waits for a person: {number}.", number=waiting))


@click.command(short_help="Write feedback for a platform or by mail.")
@LESSON
@click.option("--to", "platform", required=True, help="How to return it: moodle, canvas, blackboard or mail.")
@COURSE
def feedback(lesson_name: str, platform: str, course: Course) -> None:
    """Write a zip file with the feedback of students who handed in by a platform or, for those without platform or
    exchange, a folder with a list of addresses. For the exchange, use nbgrader release_feedback."""
    from autograder.common.paths import write_whole

    with loading.quickly():
        from autograder.lesson.text import Lesson
        from autograder.reports import give_back
        from autograder.reports.terminal import first_names

    lesson, path = Lesson.load(lesson_name, course), course / f"{lesson_name}-feedback-{platform}.zip"
    if platform == give_back.MAIL:
        path = course / f"{lesson_name}-feedback-mail"
        number = len(give_back.to_mail(course, lesson, path))
    else:
        made = give_back.feedback_zip(course, lesson, platform)
        write_whole(path, made.content)
        number = made.number
    print(T_("wrote {path}; students whose feedback is in it: {number}", path=path, number=number))
    ways = give_back.ways(course, lesson)
    for way in sorted({*ways.values()} - {platform}):
        others = [student for student, other in ways.items() if other == way]
        command = f"nbgrader release_feedback {lesson_name}"
        command = command if way == give_back.EXCHANGE else f"workbook feedback {lesson_name} --to {way}"
        about = {"number": len(others), "way": T_(way), "command": command}
        print(T_("{number} by {way}, `{command}`: {names}", **about, names=first_names(others)))


@click.command(short_help="Connect the course with a learning platform.")
@click.argument("lesson_name", metavar="[LESSON]", default="")
@COURSE
@click.option("--show", is_flag=True, help="Show again what the platform's administrator has to enter.")
def connect(lesson_name: str, course: Course, show: bool) -> None:
    """Connect the course with a learning platform by LTI 1.3; name a lesson if it has a link of its own there."""
    with needs("lti"):
        from autograder.lti import launch

    if lesson_name:
        course.parts_of(lesson_name)
    launch.connect(course, lesson_name, click.echo, show=show)


@click.command(short_help="Update students.csv from the platform.")
@COURSE
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--drop", is_flag=True, help="Remove the lines of students who have left the platform's course.")
def roster(course: Course, yes: bool, drop: bool) -> None:
    """Update students.csv from the platform's list, after showing what would change."""
    with needs("lti"):
        from autograder.lti import roster as listing
        from autograder.lti import service, settings
    from autograder.intake.roster import Roster
    from autograder.reports.terminal import first_names

    name, place = settings.place_of(course)
    members = listing.members(service.Service(course, name, place.memberships))
    done = listing.match(list(Roster.of(course).rows.values()), members)
    numbers = {"there": len(members), "here": len(done.rows)}
    print(T_("Students on the platform: {there}, in the list: {here}.", **numbers))
    gone = T_("left the course on the platform, and are removed") if drop else T_("left the course on the platform")
    kinds = {
        T_(in_context("students", "new")): done.new,
        T_("matched with the platform for the first time"): done.matched,
        T_(in_context("students", "changed")): done.changed,
    }
    kinds |= {gone: done.gone}
    for what, names in kinds.items():
        if names:
            print(T_("{what}: {number} ({names})", what=what, number=len(names), names=first_names(names)))
    for doubt in done.doubtful:
        in_doubt = N_("in doubt: the platform's {doubt}; write that number into the right line, under `lti_user_id`")
        print(T_(in_doubt, doubt=doubt))
    rows = [row for row in done.rows if not (drop and row["id"] in done.gone)]
    if (done.new or done.matched or done.changed or len(rows) < len(done.rows)) and (
        yes or click.confirm(T_("Write students.csv?"), default=True)
    ):
        listing.write(course, rows)


@click.command(short_help="Send final marks to the learning platform.")
@click.argument("lesson_name", metavar="[LESSON]", default="")
@COURSE
@click.option("--replace", is_flag=True, help="Also replace marks that a teacher has given on the platform.")
def send(lesson_name: str, course: Course, replace: bool) -> None:
    """Send a lesson's final marks, or those of all lessons, to the platform's gradebook."""
    if lesson_name:
        course.parts_of(lesson_name)
    with loading.quickly(), needs("lti"):
        from autograder.gradebook.roll import GRADED, roll_of
        from autograder.lesson.text import Lesson
        from autograder.lti import marks
        from autograder.reports import terminal

    is_well = True
    graded = [name for name in course.in_order() if not lesson_name and roll_of(course, name).of_state(GRADED)]
    for name in [lesson_name] if lesson_name else graded:
        with terminal.bar() as on_step:
            done = marks.send(course, Lesson.load(name, course), on_step, replace=replace)
        numbers = {"sent": len(done.pop(marks.SENT)), "same": len(done.pop(marks.SAME))}
        print(T_("{lesson}: {sent} sent, {same} already on the platform.", lesson=name, **numbers))
        for kind, students in done.items():
            if students:
                print(T_("{name}: {value}", name=T_(kind), value=T_(SEMICOLON).join(students)))
        is_well &= not (done[marks.REFUSED] or done[marks.LACKING])
    sys.exit(not is_well)


@click.command(short_help="Remove old results from the store.")
@click.option("--days", default=180, show_default=True, help="Remove results unused for this many days.")
@click.option(
    "--most", default=4096, show_default=True, metavar="MB", help="Of the rest, keep the latest, up to this size."
)
def clean(days: int, most: int) -> None:
    """Remove old results from the store; marks and feedback stay, and missing results are computed again."""
    from autograder.examine.store import DAY, ResultStore

    print(ResultStore().clean(most_bytes=most * 2**20, most_seconds=days * DAY))


@click.command(
    "container", context_settings={"allow_interspersed_args": False}, short_help="Run a command in Podman or Docker."
)
@COURSE
@click.argument("command", nargs=-1, required=True)
def in_container(course: Course, command: tuple[str, ...]) -> None:
    """Run a command in Podman or Docker, where bubblewrap is available: `container nbgrader autograde attention`."""
    from autograder.sandbox import container

    container.run(container.require_engine(), list(command), course.folder)
