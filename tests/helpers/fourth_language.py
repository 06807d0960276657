"""Collects the texts that a student meets in a language; run in a copy of the workbook that has a fourth language.

    python tests/helpers/fourth_language.py LANGUAGE COURSE

Prints JSON: the source of texts (release, panels, figures, …) -> its texts, as far as possible without code and data.
"""

import contextlib
import io
import json
import os
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import torch
from matplotlib.text import Text
from nbformat import NotebookNode

from autograder import mistakes
from autograder.common.course import WORKBOOK, Course
from autograder.common.nodes import grade_id
from autograder.course import bundle, new
from autograder.exams import reference
from autograder.gradebook import converters, grade
from autograder.gradebook.configuration import configuration
from autograder.lesson.compose import hand_in
from autograder.lesson.release import course_notebook
from autograder.lesson.text import Lesson, write_notebook
from utils.attention import drawings, plots, sequences
from utils.common.errors import CheckFailed, WorkbookError
from utils.common.messages import LANGUAGE_VARIABLE
from utils.common.printing import say
from utils.common.progress import progress

LANGUAGE, COURSE = sys.argv[1], Path(sys.argv[2])
LESSON = Lesson.load("attention", WORKBOOK)
TRAINED = {"convolutions": [1.0, 0.5], "with attention": [0.9, 0.4]}
DRAWS = """
import torch
from utils.attention import plots
plots.plot_encoding(torch.eye(3))
"""


def printed(function, *arguments: object) -> str:
    """Call a function; return the text that it prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(CheckFailed):
        function(*arguments)
    return out.getvalue()


def panels() -> str:
    """Return what each check prints: its panel for the reference, its hints, its panels for two known mistakes."""
    texts = []
    for name, check in reference.checks_of(LESSON).items():
        texts.append(printed(check, *reference.students_of(LESSON, name)))
        texts += [printed(check.hint) for _ in check.hints]
        for mistake in reference.mistakes_of(LESSON, name)[:2]:
            texts.append(printed(check, *reference.mutant_students(LESSON, name, mistake)))
    return "\n".join(text for text in texts if "Error: " not in text)  # torch's own errors are in English


def figures() -> str:
    """Return the texts in the lesson's figures and drawings, and the drawings' descriptions."""
    x = torch.rand(3, 1, 11)
    plt.show = lambda: None
    plots.plot_sequences(x, x)
    plots.plot_predictions(x, x, {"convolutions": x})
    plots.plot_losses(TRAINED)
    plots.plot_attention(torch.rand(11, 11), x[0], "The attention matrix we would like to have")
    plots.plot_encoding(torch.eye(3))
    plots.plot_errors({"task 1: convolutions": 2.0, "task 1: with attention": 0.5})
    artists = [text for number in plt.get_fignums() for text in plt.figure(number).findobj(Text)]
    words = [text.get_text() for text in artists]
    words.append(printed(plots.print_errors, {"task 1: convolutions": 2.0, "task 1: with attention": 0.5}))
    for draw in (drawings.convolution_and_attention, drawings.queries_keys_values, drawings.positions_as_channels):
        canvas = draw()
        words += [canvas.title, canvas.description, *(label.text for label in canvas.texts)]
    return "\n".join(words)


def prints() -> str:
    """Return a sentence that a cell prints, the text of a progress bar, and an error of `utils`."""
    try:
        sequences.generate(0, task=1)
    except WorkbookError as error:
        return "\n".join(
            [
                printed(lambda: say("final loss {loss:.4f}", loss=0.5)),
                printed(lambda: list(progress([1], "task 2"))),
                str(error),
            ]
        )
    raise AssertionError("no error")


def feedback(released: NotebookNode) -> str:
    """Return the feedback on a submission with a mistake, a gap, an essay and a figure, graded as by the command."""
    mistake = next(mistake for mistake in mistakes.load(LESSON).values() if mistake.cell == "self_attention")
    answers = {name: cell.code for name, cell in LESSON.solutions.items() if name != "update"}
    answers |= {"self_attention": mistakes.code_of(LESSON, mistake), "why_position": "Ö!"}
    own = [cell for cell in released.cells if cell.cell_type == "code" and "nbgrader" not in cell.metadata]
    own[0].source = DRAWS
    for cell in released.cells:
        cell.source = answers.get(grade_id(cell), cell.source)
    hand_in(write_notebook(released), Course(COURSE), "ada", LESSON.name)
    summary = grade.grade(LESSON.name, course=Course(COURSE))
    assert not summary.failed, summary.failed
    converters.feedback(Course(COURSE), LESSON.name)
    return (COURSE / "feedback" / "ada" / LESSON.name / f"{LESSON.name}.html").read_text(encoding="utf-8")


def main() -> None:
    os.environ["ATTENTION_WORKBOOK_STORE"] = str(COURSE.parent / "store")
    plt.switch_backend("Agg")
    new.make(COURSE, "a-course", LANGUAGE)
    released = course_notebook(LESSON, configuration(Course(COURSE)))
    texts = {"release": "\n\n".join(cell.source for cell in released.cells if cell.cell_type == "markdown")}
    os.environ[LANGUAGE_VARIABLE] = LANGUAGE
    texts |= {"panels": panels(), "figures": figures(), "prints": prints()}
    del os.environ[LANGUAGE_VARIABLE]
    texts["feedback"] = feedback(released)
    files = bundle.contents(WORKBOOK, lessons=[LESSON.name])
    cells = json.loads(files[f"{LANGUAGE}/{LESSON.name}.ipynb"])["cells"]
    texts["bundle"] = "".join(cells[0]["source"]) + "".join(cells[1]["source"])
    print(json.dumps(texts))


main()
