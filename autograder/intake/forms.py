"""The forms of names in platforms' archives, and the facts that a name in such a form tells."""

import contextlib
import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime


@dataclass(frozen=True)
class InArchive:
    """The facts in a notebook's path: the student, the time and number of the upload, the notebook's own name."""

    student: str
    name: str
    timestamp: str = ""
    upload: int = 0
    # The names by platform or instructor: with the platform's number, the number or login, the name alone.
    names: tuple[str, ...] = ()
    own: str = ""  # the student in the file's own name, if a folder names one as well
    doubt: str = ""  # why students.csv does not settle who this is
    of_group: bool = False  # whether the doubt is about a group
    late: bool = False  # marked late by the platform
    participant: str = ""  # Moodle's number of the student in this assignment
    number: str = ""  # the platform's number of the student, Moodle's or another's
    platform: str = ""
    place: str = ""  # the name of a folder or file in the platform's form
    by_number: bool = False  # whether `students.csv` knows the student by that number, not by a name alone
    members: tuple[str, ...] = ()  # the students, if a group handed in
    group: str = ""  # the group whose notebook this is

    @property
    def account(self) -> str:
        """The id made of the platform's name and number, which may be unknown to the course."""
        return student_id(self.names[0])

    @property
    def identity(self) -> str:
        """What tells two authors of one name apart: the group, or the platform's number."""
        return self.group or self.number

    @property
    def anonymous(self) -> bool:
        """Whether Canvas hides the student."""
        return self.platform == "canvas" and not self.number

    def doubted(self, why: str, of_group: bool = False) -> "InArchive":
        """Return the same under the platform's own id, because the student is not certain."""
        return replace(self, student=self.account, doubt=why, of_group=of_group)


@dataclass(frozen=True)
class Form:
    """How a platform names a submission. A new platform is one more line in `FORMS`.

    `pattern` has a group `student`, and any of `name` (of the notebook), `user` and `participant` (numbers of the
    student), `upload` (its number), `time`, `late`. `time` is the time's format, as `strptime` reads it; several have |
    between them. If `assignment_first`, the group `student` begins with the assignment's name. With `inside`, the form
    is that of a folder, in which all files have names like this; its groups are `time` and `name`.
    """

    platform: str
    pattern: re.Pattern[str]
    time: str = ""
    assignment_first: bool = False
    inside: re.Pattern[str] | None = None

    def match(self, part: str, rest: tuple[str, ...] = ()) -> re.Match[str] | None:
        """Return the match of a name; `rest` is the path from there on if `part` is a folder."""
        wrong = self.inside and not any(map(self.inside.fullmatch, rest))
        return None if wrong else self.pattern.fullmatch(part)

    def read(self, match: re.Match[str], lesson_name: str, title: str = "") -> InArchive:
        """Return the facts in a name that matches this form; `title` is the assignment's name, if it is known."""
        given = dict.fromkeys(("name", "user", "participant", "upload", "time", "late"), "") | match.groupdict("")
        name = given["student"]
        if self.assignment_first:
            name = _without(title, name) or _without(lesson_name, name) or name.partition("_")[2] or name
        student = "_".join(filter(None, (name, given["user"])))
        return InArchive(
            student_id(student),
            given["name"],
            self._timestamp(given["time"]),
            int(given["upload"] or 0),
            names=(student, given["user"], re.sub(r"_\d+$", "", name)),
            late=bool(given["late"]),
            participant=given["participant"],
            number=given["participant"] or given["user"],
            platform=self.platform,
            place=match[0],
        )

    def within(self, notebook: InArchive, rest: tuple[str, ...]) -> InArchive:
        """Return the notebook as a file in the folder that was read; `rest` is the path from there on."""
        matches = [self.inside.fullmatch(part) for part in rest] if self.inside else []
        given = [match.groupdict("") if match else {} for match in matches] or [{}]
        time = next((self._timestamp(facts["time"]) for facts in given if facts.get("time")), "")
        return replace(notebook, name=given[-1].get("name", rest[-1]), timestamp=time or notebook.timestamp)

    def _timestamp(self, text: str) -> str:
        """Return a time as nbgrader reads it, "" for none, or for one that cannot be: a 31st of February."""
        text = re.sub(r"\b(\d\d?)(\d\d) (?=[AP]M)", r"\1:\2 ", text)  # Brightspace writes 1:45 PM without the colon
        for form in self.time.split("|") if text else ():
            with contextlib.suppress(ValueError):
                return str(datetime.strptime(text, form))
        return ""


MOODLE = r"(?P<student>[^_]+(?:_(?P<participant>\d+))?)_assignsubmission_file(?:_(?P<name>.*))?"
BLACKBOARD = r"(?P<student>.+?)_attempt_(?P<time>20\d\d(?:-\d\d){5})(?:_(?P<name>.*))?"
CANVAS = r"(?!(?:LATE_)?anon_)(?P<student>.+?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<upload>\d{5,15})_(?P<name>.+)"
CANVAS_ANONYMOUS = r"(?P<late>LATE_)?(?P<student>anon_[^_]+)_(?P<upload>\d{5,15})_(?P<name>.+)"
BRIGHTSPACE = r"(?P<user>\d+)-\d+ - (?P<student>.+?) - (?P<time>[^-]*\d{4} \d{3,4} [AP]M)(?: - (?P<name>.+))?"
FORMS = (
    Form("moodle", re.compile(MOODLE)),
    Form("blackboard", re.compile(BLACKBOARD), time="%Y-%m-%d-%H-%M-%S", assignment_first=True),
    Form("canvas", re.compile(CANVAS)),
    Form("canvas", re.compile(CANVAS_ANONYMOUS)),
    Form(
        "brightspace",
        re.compile(BRIGHTSPACE),
        time="%b %d, %Y %I:%M %p|%B %d, %Y %I:%M %p|%d %B, %Y %I:%M %p|%d %b, %Y %I:%M %p",
    ),
    Form("sakai", re.compile(r"(?P<student>[^,()]+, [^()]+)\((?P<user>[^()]+)\)"), inside=re.compile(r"(?P<name>.+)")),
    Form(
        "ilias",
        re.compile(r"(?P<student>.+_.+)_(?P<user>[^_]+)_\d+"),
        time="%Y%m%d%H%M%S",
        inside=re.compile(r"(?P<time>20\d{12})_(?P<name>.+)"),
    ),
)
# A folder of Moodle, in which a student's name may have the form as well: the last number is Moodle's.
MOODLE_FOLDER = Form("moodle", re.compile(r"(?P<student>.+_(?P<participant>\d+))_assignsubmission_file_?"))
# The signs of forms that let a student write a name in front of the platform's numbers.
TWICE = re.compile(r"_assignsubmission_file|_attempt_20\d\d(?:-\d\d){5}")


def student_id(name: str) -> str:
    """Return a name with only the characters that nbgrader's folders and database can hold: letters, digits, `-_.@`."""
    plain = re.sub(r"[^\w.@-]+", "_", unicodedata.normalize("NFKC", name))
    return plain.lstrip("-._@")[:80].rstrip("._")


def _without(beginning: str, text: str) -> str:
    return text[len(beginning) + 1 :] if text.lower().startswith(f"{beginning}_".lower()) else ""
