"""A lesson's text, adapted to a course: with the course's own questions, other points, and questions left out.

A course's own questions are in its folder `source/LESSON/`, in a text like the workbook's. There `# %% after NAME` says
below which question of the lesson the cells that follow are inserted. All else is set in `course.toml`. The workbook's
text stays as it is. An essay that is left out disappears, and so do questions on the student's own code and the section
of the student's own patient. If another question is left out, its test disappears, and students are given the
reference, because the cells below need the names that it defines.
"""

import re

from autograder.common.course_file import NAME, LessonSettings
from autograder.common.errors import CourseError

GRADED = re.compile(r"(?m)^# %% (test|essay) (\w+) (\S+)")
# A cell of the percent format, from its marker to the next.
CELL = r"(?ms)^# %% {role} {name}\b.*?(?=^# %%|\Z)"
# The text and the cell above a solution of answers to what the cell asks: no cell below needs any of the three.
# No cell may be between the asking cell and this solution, which would be another question's.
ASKED = r"(?ms)^# %% \[markdown\]\n(?:(?!# %%)#[^\n]*\n|\n)*# %% show ask\n(?:(?!^# %%).)*"
ASKED += r"^# %% solution {name}\b.*?(?=^# %%|\Z)"
# Where a section begins; the section of a question whose test needs the student's own patient is left out whole.
SECTION = re.compile(r"(?m)^(?=# %% \[markdown\]\n# ## )")
OF_PATIENT = r"(?m)^check\.{name}\(.*\bwhose\)"
# The text and the cell of a practice without points, `check.NAME.catch(…)`, which `without = ["catch"]` leaves out.
CATCH = "catch"
CAUGHT = r"(?ms)^# %% \[markdown\]\n(?:(?!# %%)#[^\n]*\n|\n)*# %%\ncheck\.\w+\.catch\(.*?(?=^# %%|\Z)"
AFTER = re.compile(r"(?m)^# %% after (\w+) *\n")
MARKERS = ("### BEGIN SOLUTION", "### END SOLUTION")


def joined(lesson_name: str, texts: list[str]) -> str:
    """Return a lesson's text with the cells of a course's text below the questions that it names.

    texts: the workbook's or the course's alone, or both. Raises: CourseError for a name that the lesson does not have.
    """
    text, *of_course = texts
    if not of_course:
        return text
    before, *blocks = AFTER.split(of_course[0])
    if before.strip() or not blocks:
        raise CourseError(f"source/{lesson_name}/lesson.py must begin with a line such as: # %% after self_attention")
    for name, cells in zip(blocks[::2], blocks[1::2], strict=True):
        cells_of_question = list(re.finditer(CELL.format(role=r"\w+", name=name), text))
        if not cells_of_question:
            raise CourseError(f"source/{lesson_name}/lesson.py: after {name}: the lesson has no cell of that name.")
        end = cells_of_question[-1].end()  # below the test, which follows the solution and has the same name
        text = f"{text[:end].rstrip()}\n\n{cells.strip()}\n\n{text[end:]}"
    return text


def adapted(lesson_name: str, text: str, settings: LessonSettings) -> str:
    """Return a lesson's text with other points and without some questions. Raises: CourseError for unknown names."""
    roles = {match[2]: match[1] for match in GRADED.finditer(text)}
    left_out = [name for name in settings.without if name != CATCH]
    for name in (*settings.points, *left_out, *settings.only):
        if name not in roles:
            about = {"file": NAME, "lesson": lesson_name, "name": name, "names": ", ".join(roles)}
            raise CourseError("{file}: [{lesson}] has no question {name!r}; the questions are: {names}.", **about)
    text = GRADED.sub(lambda match: f"# %% {match[1]} {match[2]} {settings.points.get(match[2], match[3])}", text)
    for name in left_out:
        text = _without(text, name, roles[name])
    return re.sub(CAUGHT, "", text) if CATCH in settings.without else text


def _without(text: str, name: str, role: str) -> str:
    sections, patients = SECTION.split(text), re.compile(OF_PATIENT.format(name=name))
    text = "".join(section for section in sections if not patients.search(section))
    text = re.sub(CELL.format(role=role, name=name), "", text)
    text = re.sub(ASKED.format(name=name), "", text)
    return text if role == "essay" else re.sub(CELL.format(role="solution", name=name), _given, text)


def _given(cell: re.Match[str]) -> str:
    """Turn a solution cell into a given cell: students get the reference in it."""
    lines = [line for line in cell[0].split("\n") if line.strip() not in MARKERS]
    return "\n".join(lines).replace("# %% solution", "# %% given", 1)
