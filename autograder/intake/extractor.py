"""Unpacks the archives of learning platforms: notebooks alone, the newest of each student, into one folder.

No name and no size is trusted. Every file is accounted for: taken, refused with a sentence, or asked about.
"""

import contextlib
import io
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO, cast

from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.plugins import ExtractorPlugin

from autograder.common.compat import course_of
from autograder.common.course import Course
from autograder.common.sentences import T_, spoken
from autograder.intake import archives
from autograder.intake.before import Before, Parts, look
from autograder.intake.errors import Refused, Skip
from autograder.intake.forms import TWICE
from autograder.intake.names import letters
from autograder.intake.plain import bytes_of
from autograder.intake.remarks import on_doubts, on_times
from autograder.intake.roster import Roster
from autograder.intake.whose import FORMS, InArchive, is_called, recognise, whose
from utils.common.messages import N_

# Orders a student's notebooks, the best last: by the time of upload, by whether it has the lesson's name, by the
# number of the upload on the platform, by the time of the file's last change.
Rank = tuple[str, bool, int, tuple[int, ...]]
MOST_NAMES = 100  # of files that are left out, in one sentence


@dataclass(eq=False)
class Entry:
    """A file in an archive of the class, or put there by hand; `fate` is taken, asked, refused or left."""

    name: str
    fate: str = ""


@dataclass(frozen=True)
class Kept:
    """The best notebook of a student so far: its rank, where it was written, whose it is, the file it came from."""

    rank: Rank
    path: Path
    notebook: InArchive
    entry: Entry


class SafeExtractor(ExtractorPlugin):
    """Unpacks notebooks, the newest of each student, and writes nowhere but into its folder."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Unpack the notebooks of all archives in one folder into another; notebooks outside of archives count, too."""
        course = course_of(cast(ZipCollectApp, self.parent))
        self.lesson_name, self.root = course.assignment_id, Path(extracted_path)
        self.best: dict[str, Kept] = {}
        self.budget = archives.ByteBudget(archives.MAX_TOTAL)
        self.entries: list[Entry] = []
        self.left: list[tuple[Entry, Parts]] = []
        self.shared: set[str] = set()  # students whose name two accounts of the platform have
        self.roster, self.refused = Roster.of(Course(Path(course.root))), 0
        self.before: Before = look(Path(archive_path), Course(Path(course.root)), self.lesson_name, self.roster)
        for question in self.before.questions:
            self.log.warning("%s", question)
        for folder, _, names in sorted(os.walk(archive_path)):
            for name in sorted(names):
                path = Path(folder, name)
                entry = Entry(str(path.relative_to(archive_path)))
                with self._each(entry.name, entry):
                    self._take_loose(path, path.relative_to(archive_path), entry)
        self._sum_up()

    def notebook_at(self, path: Path) -> InArchive | None:
        """Return whose the notebook is that this run wrote to a path; None for any other file."""
        return next((kept.notebook for kept in self.best.values() if kept.path == path), None)

    def time_of(self, notebook: InArchive) -> str:
        """Return when a notebook was handed in, by its name or by Moodle's worksheet; "" if neither says it."""
        return notebook.timestamp or self.before.hints.people.get(notebook.participant, {}).get("time", "")

    def _sum_up(self) -> None:
        """Report the doubts that the instructor should settle, and how many were taken, refused and are not known."""
        for kept in self.best.values():
            kept.entry.fate = "asked" if kept.notebook.doubt or kept.entry.fate == "asked" else "taken"
        self._report_left()
        found = {student: kept.notebook for student, kept in sorted(self.best.items())}
        course = Path(course_of(cast(ZipCollectApp, self.parent)).root)
        times = on_times(found, self.before.hints.people, course, self.lesson_name)
        for sentence in [*on_doubts(found), *times]:
            self.log.warning("%s", sentence)
        unknown = sum(bool(notebook.doubt) for notebook in found.values())
        counts = len(self.best), self.refused, unknown
        self.log.info("Found notebooks of %d students; refused %d files; %d students are not known.", *counts)

    def _report_left(self) -> None:
        """Name the files that are not notebooks; one in a sentence of its own if its student has nothing else."""
        kept = {name for one in self.best.values() for name in (one.notebook.student, one.notebook.account)}
        kept |= {one.notebook.group for one in self.best.values()}
        others = []
        for entry, parts in self.left:
            notebook = None
            with contextlib.suppress(Skip):
                notebook = whose(parts, self.lesson_name, self.roster, self.before.hints)
            known = notebook and (notebook.place or notebook.student in self.roster.rows)
            hidden = archives.is_hidden(parts)
            if notebook and known and not kept & {notebook.student, notebook.account}:
                why = N_("it is not a notebook, and there is no other file of {student}.")
                why = N_("it is hidden, and there is no other file of {student}.") if hidden else why
                self._refuse(entry.name, T_(why, student=notebook.student), entry)
            elif not hidden:
                others.append(entry.name)
        if others:
            names = ", ".join(others[:MOST_NAMES]) + ", …" * (len(others) > MOST_NAMES)
            left = N_("Left out, because they are not notebooks ({number}): {names}.")
            self.log.warning("%s", T_(left, number=len(others), names=names))

    @contextmanager
    def _each(self, name: str, entry: Entry) -> Iterator[None]:
        """Report any failure in one sentence, and go on with the next file; archives fail in too many ways to list."""
        try:
            yield
        except Skip as reason:
            self._refuse(name, T_("{sentence}.", sentence=str(reason)), entry)
        except Refused as reason:
            self._refuse(name, reason.message.render(spoken()), entry)
        except Exception as error:
            self._refuse(name, T_("it cannot be read ({error}).", error=f"{error!r:.200}"), entry)

    def _refuse(self, name: str, why: str, entry: Entry) -> None:
        self.refused += 1
        entry.fate = "refused"
        self.log.warning("%s", T_("Refused {name}: {why}", name=f"{name!r:.200}", why=why))

    def _take_loose(self, path: Path, place: Path, entry: Entry) -> None:
        parts = archives.split(str(place))
        kind, status = archives.ending(parts), path.lstat()
        if kind not in archives.ARCHIVES:
            self.entries.append(entry)
        if kind and not stat.S_ISREG(status.st_mode):
            raise Skip(archives.A_LINK)
        if kind == ".ipynb":
            self._keep(parts, time.localtime(status.st_mtime)[:6], partial(bytes_of, path), entry)
        elif kind in archives.ARCHIVES:
            with path.open("rb") as file:
                self._unpack(file, parts, self.budget, 1)
        elif kind:
            raise Skip(archives.OTHER_KIND)
        elif not stat.S_ISREG(status.st_mode):
            entry.fate = "left"
        elif path in self.before.tables:
            entry.fate = "taken"
            if wrong := self.before.tables[path]:
                raise Skip(wrong)
        else:
            self._other(parts, time.localtime(status.st_mtime)[:6], partial(bytes_of, path), entry)

    def _unpack(
        self, file: BinaryIO, parts: Parts, budget: archives.ByteBudget, depth: int, outer: Entry | None = None
    ) -> None:
        """Take the notebooks of an archive at a place; `depth` is 1 for an archive that the instructor put there."""
        *folders, name = parts
        (stem,) = archives.split(name[: -len(archives.ending(parts))]) or ("archive",)
        if len(TWICE.findall(stem)) > 1:
            raise Skip("its name has a platform's form twice, so it may be another student's; rename it")
        # `telling`: the archive's name says whose it is. A whole class's CS101_attention.zip does not, hence depth > 1.
        telling = any(form.match(stem) or (form.inside and form.time and form.inside.fullmatch(stem)) for form in FORMS)
        telling = telling or (depth > 1 and recognise((f"{stem}.ipynb",), self.lesson_name) is not None)
        # The name of an archive that is neither a student's nor a group's says nothing about the files in it.
        known = self.roster.find(stem) or letters(stem) in self.before.hints.groups
        strange = depth == 1 and bool(self.roster.rows) and not known
        notebooks = 0
        for number, member in enumerate(archives.entries(file, budget)):
            if number == archives.MAX_ENTRIES:
                raise Skip(
                    "it contains more than {number} files, and the rest was not read", number=archives.MAX_ENTRIES
                )
            if budget.left < 0:
                raise Skip(archives.TOO_MUCH)
            if member is None:
                continue
            full = f"{'/'.join(parts)}/{member.name}"
            entry = outer or Entry(full)
            if outer is None:
                self.entries.append(entry)
            with self._each(full, entry):
                inner = archives.split(member.name) or (".",)
                kind = archives.ending(inner)
                # Inside a student's own archive, folder names are ignored; elsewhere the name of a folder or an
                # inner archive comes before a file name in no platform's form.
                inner = inner if depth == 1 else inner[-1:]
                named = bool(folders) or len(inner) > 1 or kind not in ("", ".ipynb")
                named = named or (strange and not is_called(inner[-1], self.lesson_name))
                place = (*folders, *inner) if named and not telling else (*folders, stem, *inner)
                content = partial(archives.read, member, budget)
                if not kind:
                    if depth == 1 or ".ipynb" in inner[-1] or is_called(inner[-1], self.lesson_name):
                        notebooks += self._other(place, member.time, content, entry, depth > 1)
                    continue
                notebooks += 1
                if member.wrong:
                    raise Skip(member.wrong)
                if kind == ".ipynb":
                    self._keep(place, member.time, content, entry)
                elif kind in archives.UNREAD:
                    raise Skip(archives.OTHER_KIND)
                elif depth == archives.MAX_DEPTH:
                    raise Skip("archives are nested more than {number} deep", number=archives.MAX_DEPTH)
                else:
                    nested = budget if depth > 1 else archives.ByteBudget(archives.MAX_NESTED_TOTAL, within=budget)
                    self._unpack(io.BytesIO(content()), place, nested, depth + 1, entry)
        if not notebooks:
            raise Skip("there is no notebook in it")

    def _other(
        self, parts: Parts, changed: tuple[int, ...], content: Callable[[], bytes], entry: Entry, inner: bool = False
    ) -> bool:
        """Take a file that is a notebook under another ending, as browsers save it; return whether it is one.

        Another file is named at the end, unless it is `inner`, in a student's own archive.
        """
        name = "" if archives.is_hidden(parts) else archives.as_notebook(parts[-1])
        data = content() if name else b""
        if archives.is_notebook(data):
            self._keep((*parts[:-1], name), changed, lambda: data, entry)
            return True
        entry.fate = entry.fate or "left"
        self.left += [] if inner else [(entry, parts)]
        return False

    def _keep(self, parts: Parts, changed: tuple[int, ...], content: Callable[[], bytes], entry: Entry) -> None:
        """Write a notebook where the collector finds it, unless the student has a better one (see `Rank`).

        `changed` is the time of the file's last change; `content` reads the file.
        """
        notebook = whose(parts, self.lesson_name, self.roster, self.before.hints)
        if notebook is None:
            raise Skip("its name does not say whose it is; call it STUDENT_{lesson}.ipynb", lesson=self.lesson_name)
        # nbgrader recognises the ending only in small letters.
        name = parts[-1][: -len(".ipynb")] + ".ipynb"
        if not notebook.members:
            self._keep_one(notebook, self.root.joinpath(*parts[:-1], name), changed, content, entry)
            return
        data = content()
        for member in notebook.members:
            with self._each(T_("{name} for {member}", name=entry.name, member=member), entry):
                one = self.before.for_member(notebook, member)
                path = self.root.joinpath(f"{notebook.account}+{member}", name)
                self._keep_one(one, path, changed, lambda: data, entry)

    def _keep_one(
        self, notebook: InArchive, path: Path, changed: tuple[int, ...], content: Callable[[], bytes], entry: Entry
    ) -> None:
        self._part_accounts(notebook)
        notebook = self.settled(notebook)
        rank = (notebook.timestamp, is_called(notebook.name, self.lesson_name), notebook.upload, changed)
        # The best so far is compared before the content is read, because reading takes from the archive's budget.
        old = self.best.get(notebook.student)
        newer = T_("{student} has a newer or better named notebook", student=notebook.student)
        if old is not None and rank < old.rank:
            raise Skip(newer)
        if not path.resolve().is_relative_to(self.root.resolve()):
            raise Skip("it would be written outside the folder")
        data = content()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self.best[notebook.student] = Kept(rank, path, notebook, entry)
        if old is not None:
            two = N_("{student} has two notebooks; {name} is newer or better named.")
            self.log.warning("%s", T_(two, student=notebook.student, name=f"{path.name!r:.200}"))
            if old.entry is not entry:
                self._refuse(old.entry.name, T_("{sentence}.", sentence=newer), old.entry)
            if old.path != path:
                old.path.unlink()

    def _part_accounts(self, notebook: InArchive) -> None:
        """Separate two accounts of the platform that seem to be one student: two numbers are two people.

        Some platforms let people choose their names. So each notebook is kept under its own account, and the
        instructor has to decide, unless `students.csv` knows one of them by number.
        """
        before = self.best.get(notebook.student)
        if before is None or not before.notebook.identity or notebook.identity in ("", before.notebook.identity):
            return
        self.shared.add(notebook.student)
        self.best.pop(notebook.student)
        settled = self.settled(before.notebook)
        self.best[settled.student] = replace(before, notebook=settled)

    def settled(self, notebook: InArchive) -> InArchive:
        """Return the notebook under its platform's own id if two accounts have its student's name, else unchanged."""
        if notebook.student in self.shared and notebook.identity and not notebook.by_number:
            if notebook.group:
                in_two = N_("is a group of {student}, who is in another group as well")
                return notebook.doubted(T_(in_two, student=notebook.student), of_group=True)
            return notebook.doubted(
                T_("has the same name as {student}, and another account has this name, too", student=notebook.student)
            )
        return notebook
