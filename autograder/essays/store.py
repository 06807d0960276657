"""The files of one question, below `marking/LESSON/QUESTION` in the course: written whole, by one process at a time.

rubric.json             the rubric, once it differs from the lesson's
answers/STUDENT.json    the mark of a student, see `marks.AnswerRecord`
notes.json              notes for markers, and to whom an answer was handed on; students never see them
claims.json             the window that has each answer open, for minutes
"""

import contextlib
import fcntl
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.paths import write_whole
from autograder.essays.marks import AnswerRecord
from autograder.essays.rubric import Rubric

FOLDER = "marking"
# How long an answer stays with a grader who does nothing, in seconds.
CLAIM_SECONDS = 120


@dataclass(frozen=True)
class EssayStore:
    """The files of a question of a course."""

    course: Course
    lesson_name: str
    question: str

    @property
    def folder(self) -> Path:
        return self.course / FOLDER / self.lesson_name / self.question

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the question's lock while its files are read, changed and written. Raises: GradingError."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / ".lock").open("w")
        except OSError as error:
            raise GradingError(
                f"The folder {self.folder} cannot be written ({error.strerror}); make room or make it writable."
            ) from None
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def rubric(self) -> Rubric | None:
        """Return the course's rubric, None while the lesson's is used. Raises: GradingError for a damaged file."""
        data = _read(self.folder / "rubric.json")
        return None if data is None else Rubric.from_json(data)

    def write_rubric(self, rubric: Rubric) -> None:
        write_whole(self.folder / "rubric.json", json.dumps(rubric.to_json(), ensure_ascii=False, indent=1))

    def record(self, student: str) -> AnswerRecord:
        """Return the record of a student's answer, an empty one if there is none. Raises: GradingError."""
        data = _read(self._path(student))
        return AnswerRecord() if data is None else AnswerRecord.from_json(data)

    def records(self) -> dict[str, AnswerRecord]:
        """Return the records of all answers, by student. Raises: GradingError."""
        return {path.stem: self.record(path.stem) for path in (self.folder / "answers").glob("*.json")}

    def write_record(self, student: str, record: AnswerRecord) -> None:
        write_whole(self._path(student), json.dumps(record.to_json(), ensure_ascii=False))

    def notes(self) -> dict[str, dict[str, Any]]:
        """Return by student: `to`, the marker to whom the answer was handed on, and `notes`. Raises: GradingError."""
        return _read(self.folder / "notes.json") or {}

    def write_note(self, student: str, to: str, note: str) -> dict[str, Any]:
        """Hand an answer on to a marker, "" for none, and add a note to it; return what is known of the answer."""
        notes = self.notes()
        notes[student] = {"to": to, "notes": [*notes.get(student, {}).get("notes", []), *filter(None, [note])]}
        write_whole(self.folder / "notes.json", json.dumps(notes, ensure_ascii=False))
        return notes[student]

    def _path(self, student: str) -> Path:
        return self.folder / "answers" / f"{student}.json"

    # ---- claims: an answer is open in one window at a time ----

    def claims(self) -> dict[str, str]:
        """Return the id of the window in which each claimed answer is open, by the answer's student."""
        now = time.time()
        return {student: str(window) for student, (window, until) in self._written_claims().items() if until > now}

    def claim(self, student: str, window: str) -> bool:
        """Claim an answer for a window, and give up the window's former claim; an empty `student` only gives it up.

        Return False, and change nothing, if another window has the answer.
        """
        with self.locked():
            others = {other: holder for other, holder in self.claims().items() if holder != window}
            if student in others:
                return False
            until = time.time() + CLAIM_SECONDS
            written = self._written_claims()
            claims = {other: written[other] for other in others} | ({student: [window, until]} if student else {})
            write_whole(self.folder / "claims.json", json.dumps(claims), lasting=False)
            return True

    def _written_claims(self) -> dict[str, Any]:
        """Return the window and the end of each claim in the file, also of claims that have ended."""
        return _read(self.folder / "claims.json") or {}


def _read(path: Path) -> dict[str, Any] | None:
    """Return the JSON of a file, None for a missing file. Raises: GradingError."""
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return data
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise GradingError(f"{path} cannot be read ({error}); put a copy of it back, or delete it.") from None
