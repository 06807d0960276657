"""`nbgrader collect`, made safe against anything that students write into the exchange's inbound folder.

nbgrader's own copying (0.9.6, `shutil.copytree`) follows links: a student who links to another's notebook, or to the
gradebook, makes the instructor copy it. And one folder that is too large, or whose name holds no time, ends the command
for the whole class.
"""

import contextlib
import os
import pwd
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import ignore_patterns

from autograder.common.compat import course_of
from autograder.common.course import Course
from autograder.common.sentences import T_, translated
from autograder.intake import attempts
from autograder.intake.copying import copy_files
from autograder.intake.folder import wrong_name
from utils.common.messages import N_

# What nbgrader keeps of a folder in the exchange: its student ("username"), "filename", "timestamp".
Record = dict[str, Any]
# `nbgrader submit` (0.9.6) writes these two last, in this order.
WRITTEN_LAST = ("timestamp.txt", "submission_secret.txt")
UNFINISHED = N_("it is still being handed in, or was interrupted; collect again")


class Collect(ExchangeCollect):
    """Copies each student's newest submission that can be taken; reports the others, and goes on.

    Of a lesson with attempts, all submissions are copied, as attempts.
    """

    def init_src(self) -> None:
        """Choose each student's newest submission, and refuse those that cannot be taken."""
        self.refused = 0
        self.records: list[Record] = []
        self.looked = attempts.now()
        super().init_src()
        self.src_records = [record for record in self.src_records if self._is_good(record)]

    def _path_to_record(self, path: str) -> Record:
        """Return the facts in a folder's name; nbgrader's own method (0.9.6) raises when the name holds no time."""
        record = record_of(path, super()._path_to_record)
        if not record["wrong"] and self.check_owner and (owner := owner_of(path)) != record["username"]:
            record |= {"timestamp": datetime.min}
            record["wrong"] = T_(
                "it belongs to {owner}, not to the student whose name it has (if all belong to one user, set "
                "c.ExchangeCollect.check_owner = False)",
                owner=owner,
            )
        self.records.append(record)
        return record

    def _is_good(self, record: Record) -> bool:
        if record["wrong"]:
            self._refuse(record["filename"], record["wrong"])
        return not record["wrong"]

    def _refuse(self, name: str, why: object) -> None:
        self.refused += 1
        self.log.error("%s", T_("Not collected: {name}: {why}.", name=f"{name!a:.200}", why=translated(str(why))))

    def copy_files(self) -> None:
        """Copy the chosen submissions. Raises: ExchangeError at the end if any was refused."""
        course = Course(Path(course_of(self).root))
        if attempts.kept(course, course_of(self).assignment_id):
            with attempts.opened(course, course_of(self).assignment_id) as kept:
                self._take_attempts(kept)
        else:
            super().copy_files()
        if self.refused:
            self.fail(T_("Not collected, see above: {number}; all others were.", number=self.refused))

    def _take_attempts(self, kept: attempts.Attempts) -> None:
        """Copy the submissions that are not yet attempts, each student's in the order of their times."""
        known = {attempt.source for attempt in kept.rows.attempts}
        new = [record for record in self.records if record["filename"] not in known]
        good = sorted((record for record in new if not record["wrong"]), key=lambda record: record["timestamp"])
        for student in dict.fromkeys(record["username"] for record in good):
            theirs = [record["filename"] for record in good if record["username"] == student]
            for name in theirs[-room:] if (room := kept.room(student)) > 0 else ():
                self._take_attempt(kept, student, name)
        taken = {attempt.source for attempt in kept.rows.attempts}
        kept.rows.left = sorted(record["filename"] for record in new if record["filename"] not in taken)
        kept.rows.looked = self.looked.isoformat()
        kept.take_up(attempts.HAND)
        for student in kept.students:
            kept.place(student)

    def _take_attempt(self, kept: attempts.Attempts, student: str, name: str) -> None:
        with self._refusing(name):
            source = Path(self.inbound_path, name)
            attempt, odd = kept.take(source, student, attempts.EXCHANGE, *self._limits())
            self._after_copy(name, kept.path(attempt).parent, odd)
            if attempt.flag:
                self.log.warning("%s", T_("Flag: {student}: {flag}.", student=f"{student!a:.200}", flag=attempt.flag))

    @contextlib.contextmanager
    def _refusing(self, name: str) -> Iterator[None]:
        """Refuse the submission of this name if it cannot be copied."""
        try:
            yield
        except Exception as error:
            self._refuse(name, getattr(error, "strerror", None) or error)

    def _limits(self) -> tuple[Callable[[str, list[str]], list[str]], int]:
        """Return which names the course ignores, and how many bytes a submission may have."""
        folders = course_of(self)
        skip = ignore_patterns(folders.ignore, folders.include, folders.max_file_size, self.log)
        return skip, 1000 * folders.max_dir_size

    def _after_copy(self, name: str, copy: Path, odd: list[str]) -> None:
        """Name what was left out of a copy, and give the copy the rights that the course sets."""
        for left_out in odd:
            left = N_("Left out of {name}: {file}, a link or a device.")
            self.log.warning("%s", T_(left, name=f"{name!a:.200}", file=f"{left_out!a:.200}"))
        if course_of(self).groupshared:
            for place in (copy, *copy.rglob("*")):
                place.chmod(place.stat().st_mode | (0o2770 if place.is_dir() else 0o660))

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copy one submission; if that fails, refuse it and go on."""
        with self._refusing(Path(src).name):
            try:
                odd = copy_files(Path(src), Path(dest), *self._limits())
            except Exception:
                shutil.rmtree(dest, ignore_errors=True)
                raise
            self._after_copy(Path(src).name, Path(dest), odd)


def record_of(path: str, nbgraders: Callable[[str], Record]) -> Record:
    """Return a folder's student, time and name; `wrong` says why it cannot be taken.

    Such a folder counts as the oldest, so that it is refused only if the student has no other. `nbgraders` is
    nbgrader's own function that reads the name.
    """
    name = Path(path).name
    record: Record = {"username": name.partition("+")[0], "filename": name, "wrong": ""}
    try:
        record |= nbgraders(path)
    except (ValueError, OverflowError):
        record["wrong"] = N_("its name has no time")
    if not record["username"] or wrong_name(record["username"]):
        record["wrong"] = N_("its name is not a student's")
    if os.path.islink(path) or not os.path.isdir(path):
        record["wrong"] = N_("it is not a folder")
    elif not record["wrong"] and not is_complete(path):
        record["wrong"] = UNFINISHED
    return record | ({"timestamp": datetime.min} if record["wrong"] else {})


def is_complete(path: str) -> bool:
    """Return whether `nbgrader submit` has written a submission whole.

    A submission that is collected without its secret stays without it, because it is not collected a second time; the
    student could never fetch its feedback.
    """
    try:
        return all(os.stat(os.path.join(path, name)).st_size for name in WRITTEN_LAST)
    except OSError:
        return False


def owner_of(path: str) -> str:
    """Return the name of the user whose folder this is."""
    number = os.lstat(path).st_uid
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
