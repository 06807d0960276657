"""Collects archives of learning platforms: `nbgrader zip_collect LESSON`, made safe.

`SafeExtractor` unpacks the files in `downloaded/LESSON/archive/`. It trusts no name and no size, writes only notebooks,
the newest of each student, and reports each refused file in one sentence. `LmsCollector` tells nbgrader which student
each notebook belongs to. Both read the student from the notebook's place, see `whose`.
"""

import io
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin
from traitlets import Bool, Unicode

from autograder.common.compat import course_of, extracted_folder
from autograder.common.course import Course
from autograder.common.course_file import CourseFile
from autograder.common.errors import CourseError
from autograder.common.paths import MAX_BYTES, open_regular
from autograder.common.times import zone_of
from autograder.intake import archives, worksheet
from autograder.intake.errors import Refused, Skip
from autograder.intake.folder import submitted_at
from autograder.intake.places import Place, note_places
from autograder.intake.plain import bytes_of
from autograder.intake.roster import Roster
from autograder.intake.whose import FORMS, InArchive, is_called, recognise, whose


class LmsCollector(FileNameCollectorPlugin):
    """Tells nbgrader which student an extracted notebook belongs to; leaves out what would make nbgrader stop."""

    timezone = Unicode("", help="The time zone of the platform's times; else the one in course.toml.").tag(config=True)

    keep_newer = Bool(False, help="Whether a submission that is newer than the archive's stays.").tag(config=True)

    def __init__(self, **kwargs: Any):
        super().__init__(**kwargs)
        self.given: set[str] = set()

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """Return the student, the notebook's id and the time, as nbgrader wants them; None to leave the file out."""
        app = cast(ZipCollectApp, self.parent)
        course = course_of(app)
        lesson_name = course.assignment_id
        extractor = cast(SafeExtractor, app.extractor_plugin_inst)
        place = Path(submitted_file)
        parts = place.relative_to(extracted_folder(app)).parts
        try:
            notebook = whose(parts, lesson_name, extractor.roster) if place.suffix == ".ipynb" else None
        except Skip:  # a file of an earlier run; those of this run have passed `whose` in the extractor
            return None
        if notebook is None:
            return None
        notebook = extractor.settled(notebook)
        if notebook.student in self.given:
            self.log.warning("Refused %r: there is another notebook of this student.", place.name)
            return None
        self.given.add(notebook.student)
        # An earlier run may have collected it under the platform's id, when students.csv did not know this account.
        if notebook.account != notebook.student and notebook.account not in extractor.roster.rows:
            put_aside(Course(Path(course.root)), notebook.account, lesson_name)
        old = course.format_path(course.submitted_directory, notebook.student, lesson_name)
        if not app.force and os.path.isdir(old) and os.listdir(old):
            self.log.warning("Refused %r: %s has a submission; --force replaces it.", place.name, notebook.student)
            return None
        time = notebook.timestamp or extractor.times.get(notebook.participant, "")
        stamp = {"timestamp": self._utc(time)} if time else _kept_time(place, Path(old))
        if self.keep_newer and _is_older(stamp.get("timestamp"), Path(old)):
            return None
        if notebook.platform:
            places = {notebook.student: Place(notebook.platform, notebook.place)}
            note_places(Course(Path(course.root)), lesson_name, places)
        return {"student_id": notebook.student, "file_id": lesson_name} | stamp

    def _utc(self, time: str) -> str:
        app = cast(ZipCollectApp, self.parent)
        try:
            zone = zone_of(self.timezone or CourseFile.of(Path(course_of(app).root)).timezone)
        except CourseError as error:
            app.fail(str(error))
        there = datetime.fromisoformat(time).replace(tzinfo=zone)
        return str(there.astimezone(timezone.utc).replace(tzinfo=None))


def _kept_time(notebook: Path, there: Path) -> dict[str, str]:
    """Return the time that the instructor has written beside the same notebook, collected before."""
    known, _ = submitted_at(there)
    try:
        with open_regular(notebook) as new, open_regular(there / f"{there.name}.ipynb") as old:
            same = new.read(MAX_BYTES) == old.read(MAX_BYTES)
    except OSError:
        return {}
    return {"timestamp": str(known)} if known and same else {}


def _is_older(stamp: str | None, there: Path) -> bool:
    """Return whether a time (UTC) is certainly before that of the submission in a folder."""
    known, _ = submitted_at(there)
    return bool(stamp and known and datetime.fromisoformat(stamp) < known)


def put_aside(course: Course, account: str, lesson_name: str) -> None:
    """Move a submission that an earlier run collected under a platform's account, now that the student is known.

    The submission and what was made from it go into `.grading/aside`; the archive still holds the original.
    """
    for stage in ("submitted", "autograded", "feedback"):
        there = course / stage / account / lesson_name
        if there.is_dir():
            kept = course / ".grading" / "aside" / stage / account / lesson_name
            shutil.rmtree(kept, ignore_errors=True)
            kept.parent.mkdir(parents=True, exist_ok=True)
            there.rename(kept)
            if not any(there.parent.iterdir()):
                there.parent.rmdir()


# Orders a student's notebooks, the best last: by the time of upload, by whether it has the lesson's name, by the
# number of the upload on the platform, by the time of the file's last change.
Rank = tuple[str, bool, int, tuple[int, ...]]


class SafeExtractor(ExtractorPlugin):
    """Unpacks notebooks, the newest of each student, and writes nowhere but into its folder."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Unpack the notebooks of all archives in one folder into another; notebooks outside of archives count, too."""
        course = course_of(cast(ZipCollectApp, self.parent))
        self.lesson_name, self.root = course.assignment_id, Path(extracted_path)
        self.best: dict[str, tuple[Rank, Path]] = {}  # by student: the best notebook so far, and its path
        self.budget = archives.ByteBudget(archives.MAX_TOTAL)
        self.roster, self.refused = Roster.of(Course(Path(course.root))), 0
        self.found: dict[str, InArchive] = {}
        self.shared: set[str] = set()  # students whose name two accounts of the platform have
        self.times: dict[str, str] = {}  # by Moodle's number of the student
        for folder, _, names in sorted(os.walk(archive_path)):
            for name in sorted(names):
                path = Path(folder, name)
                with self._each(str(path.relative_to(archive_path))):
                    self._take_loose(path, path.relative_to(archive_path))
        self._sum_up()

    def _sum_up(self) -> None:
        """Report the doubts that the instructor should settle, and how many were taken, refused and are not known."""
        doubtful = {student: notebook.doubt for student, notebook in self.found.items() if notebook.doubt}
        for student, doubt in sorted(doubtful.items()):
            self.log.warning("Whose is it? %r %s; write it into `names` there, collect again.", student, doubt)
        open_times = {student: notebook for student, notebook in self.found.items() if not self._has_time(student)}
        if late := [student for student, notebook in sorted(open_times.items()) if notebook.late]:
            self.log.warning(
                "Late, says the platform, without saying when: %s; write the time into "
                "submitted/STUDENT/%s/timestamp.txt.",
                *(", ".join(map(repr, late)), self.lesson_name),
            )
        moodles = [notebook.participant for notebook in self.found.values() if notebook.participant]
        if lacking := len([number for number in moodles if number not in self.times]):
            self.log.warning(
                "Moodle's archive does not say when %s handed in; put its grading worksheet, in English, beside the "
                "archive, and type `workbook collect %s`.",
                *("one student" if lacking == 1 else f"{lacking} students", self.lesson_name),
            )
        canvas = [notebook for notebook in open_times.values() if notebook.platform == "canvas"]
        if in_time := len([notebook for notebook in canvas if not notebook.timestamp and not notebook.late]):
            self.log.warning(
                "Canvas' archive does not say when anybody handed in: %s will not count as late; where that is wrong, "
                "write the time into submitted/STUDENT/%s/timestamp.txt.",
                *("one student" if in_time == 1 else f"{in_time} students", self.lesson_name),
            )
        counts = len(self.best), self.refused, len(doubtful)
        self.log.info("Found notebooks of %d students; refused %d files; %d students are not known.", *counts)

    def _has_time(self, student: str) -> bool:
        """Return whether the instructor has written a student's time of an earlier collecting by hand."""
        course = Path(course_of(cast(ZipCollectApp, self.parent)).root)
        return submitted_at(course / "submitted" / student / self.lesson_name)[0] is not None

    @contextmanager
    def _each(self, name: str) -> Iterator[None]:
        """Report any failure in one sentence, and go on with the next file; archives fail in too many ways to list."""
        try:
            yield
        except Skip as reason:
            why = f"{reason}."
        except Refused as reason:
            why = reason.message.render()
        except Exception as error:
            why = f"it cannot be read ({error!r:.200})."
        else:
            return
        self.refused += 1
        self.log.warning("Refused %.200r: %s", name, why)

    def _take_loose(self, path: Path, place: Path) -> None:
        parts = archives.split(str(place))
        kind, status = archives.ending(parts), path.lstat()
        if kind and not stat.S_ISREG(status.st_mode):
            raise Skip("it is a link or a device")
        if kind == ".ipynb":
            self._keep(parts, time.localtime(status.st_mtime)[:6], partial(bytes_of, path))
        elif kind in archives.ARCHIVES:
            with path.open("rb") as file:
                self._unpack(file, parts, self.budget, 1)
        elif kind:
            raise Skip(archives.OTHER_KIND)
        elif path.suffix.lower() == ".csv" and stat.S_ISREG(status.st_mode):
            self.times |= worksheet.submitted(path)

    def _unpack(self, file: BinaryIO, parts: tuple[str, ...], budget: archives.ByteBudget, depth: int) -> None:
        """Take the notebooks of an archive at a place; `depth` is 1 for an archive that the instructor put there."""
        *folders, name = parts
        (stem,) = archives.split(name[: -len(archives.ending(parts))]) or ("archive",)
        # `telling`: the archive's name says whose it is. A whole class's CS101_attention.zip does not, hence depth > 1.
        telling = any(form.pattern.fullmatch(stem) for form in FORMS)
        telling = telling or (depth > 1 and recognise((f"{stem}.ipynb",), self.lesson_name) is not None)
        notebooks = 0
        for number, entry in enumerate(archives.entries(file, budget)):
            if number == archives.MAX_ENTRIES:
                raise Skip(f"it holds more than {archives.MAX_ENTRIES} files, and the rest was not read")
            if budget.left < 0:
                raise Skip(archives.TOO_MUCH)
            if entry is None:
                continue
            with self._each(f"{'/'.join(parts)}/{entry.name}"):
                inner = archives.split(entry.name)
                kind = archives.ending(inner)
                if not kind:
                    continue
                notebooks += 1
                if entry.wrong:
                    raise Skip(entry.wrong)
                # Inside a student's own archive, folder names are ignored; elsewhere the name of a folder or an
                # inner archive comes before a file name in no platform's form.
                inner = inner if depth == 1 else inner[-1:]
                named = folders or len(inner) > 1 or kind != ".ipynb"
                place = (*folders, *inner) if named and not telling else (*folders, stem, *inner)
                if kind == ".ipynb":
                    self._keep(place, entry.time, partial(archives.read, entry, budget))
                elif kind in archives.UNREAD:
                    raise Skip(archives.OTHER_KIND)
                elif depth == archives.MAX_DEPTH:
                    raise Skip(f"archives lie in one another more than {archives.MAX_DEPTH} deep")
                else:
                    nested = budget if depth > 1 else archives.ByteBudget(archives.MAX_NESTED_TOTAL, within=budget)
                    self._unpack(io.BytesIO(archives.read(entry, budget)), place, nested, depth + 1)
        if not notebooks:
            raise Skip("there is no notebook in it")

    def _keep(self, parts: tuple[str, ...], changed: tuple[int, ...], content: Callable[[], bytes]) -> None:
        """Write a notebook where the collector finds it, unless the student has a better one (see `Rank`).

        `changed` is the time of the file's last change; `content` reads the file.
        """
        notebook = whose(parts, self.lesson_name, self.roster)
        if notebook is None:
            raise Skip(f"its name does not say whose it is; call it STUDENT_{self.lesson_name}.ipynb")
        self._part_accounts(notebook)
        notebook = self.settled(notebook)
        rank = (notebook.timestamp, is_called(notebook.name, self.lesson_name), notebook.upload, changed)
        # The best so far is compared before the content is read, because reading takes from the archive's budget.
        best, old = self.best.get(notebook.student, (None, None))
        if best is not None and rank < best:
            raise Skip(f"{notebook.student} has a newer or better named notebook")
        # nbgrader recognises the ending only in small letters.
        path = self.root.joinpath(*parts[:-1], parts[-1][: -len(".ipynb")] + ".ipynb")
        if not path.resolve().is_relative_to(self.root.resolve()):
            raise Skip("it would leave the folder")
        data = content()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self.best[notebook.student], self.found[notebook.student] = (rank, path), notebook
        if old is not None:
            self.log.warning("%s has two notebooks; %.200r is newer or better named.", notebook.student, path.name)
            if old != path:
                old.unlink()

    def _part_accounts(self, notebook: InArchive) -> None:
        """Separate two accounts of the platform that seem to be one student: two numbers are two people.

        Some platforms let people choose their names. So each notebook is kept under its own account, and the
        instructor has to decide, unless `students.csv` knows one of them by number.
        """
        before = self.found.get(notebook.student)
        if before is None or not before.number or notebook.number in ("", before.number):
            return
        self.shared.add(notebook.student)
        best, _ = self.best.pop(before.student), self.found.pop(before.student)
        before = self.settled(before)
        self.best[before.student], self.found[before.student] = best, before

    def settled(self, notebook: InArchive) -> InArchive:
        """Return the notebook under its platform's own id if two accounts have its student's name, else unchanged."""
        if notebook.student in self.shared and notebook.number and not notebook.by_number:
            return notebook.doubted(f"is called like {notebook.student}, as another account is")
        return notebook
