"""Commands for one notebook, outside any course."""

import json
from pathlib import Path

import click

from autograder.commands.which import LESSON, around, wrote
from autograder.common.sentences import spoken
from autograder.speed import loading
from utils.common.errors import WorkbookError
from utils.common.messages import N_


@click.command("try", short_help="Grade one notebook, writing nothing.")
@LESSON
@click.argument("notebook", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def try_notebook(lesson_name: str, notebook: Path, as_json: bool) -> None:
    """Grade one notebook as this folder's course (if there is one) would, without a database; write nothing."""
    from autograder.common import paths
    from autograder.sandbox import container, launch

    course = around(Path.cwd())
    course.parts_of(lesson_name)
    if not notebook.exists():
        raise WorkbookError(N_("There is no file {file}; name the notebook to grade."), file=notebook)
    path = notebook.resolve()  # because a container has another current folder
    container.instead(["try", lesson_name, str(path), *["--json"] * as_json], paths.ROOT, path)
    # Without bubblewrap, the line above has run this command in a container and ended this process.
    if lesson_name in course.own and course.adds:
        from autograder.course.own import bring_up_to_date
        from autograder.lesson.text import Lesson

        bring_up_to_date(Lesson.load(lesson_name, course))
    launch.begin(course)  # the sandbox's parent loads torch while this process loads the rest
    with loading.quickly():
        from autograder.common.nodes import code_by_id
        from autograder.examine.examiner import examine
        from autograder.examine.ready_made import refuse_ready_made
        from autograder.gradebook.secret import secret_here
        from autograder.intake.notebook import take_in
        from autograder.lesson.text import Lesson
        from autograder.reports import terminal
        from autograder.sandbox.parent import Sandbox

    lesson = Lesson.load(lesson_name, course)
    taken = take_in(notebook, lesson)
    with Sandbox(course) as sandbox:
        result = examine(taken.notebook, lesson, sandbox, secret=secret_here())
    # The list of forbidden calls is empty, because a course's configuration is not read for a single notebook.
    refuse_ready_made(result, lesson, code_by_id(taken.notebook), [])
    result.mended = taken.mended + ([taken.refused] if taken.refused else [])
    if as_json:
        print(json.dumps(result.to_json(taken.language), indent=1, ensure_ascii=False))
    else:
        terminal.print_result(result, taken.language)


@click.command(short_help="Make a submission from the release.")
@LESSON
@click.option("--cell", "cells", multiple=True, metavar="GRADE_ID=FILE", help="Code for a cell, from a file.")
@click.option("--blank", is_flag=True, help="Leave the other cells as released instead of solved.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The notebook to write.")
def compose(lesson_name: str, cells: tuple[str, ...], blank: bool, output: Path) -> None:
    """Make a submission from the release: the given code in the named cells, the reference in the others."""
    from autograder.lesson.compose import compose
    from autograder.lesson.text import Lesson, write_notebook
    from autograder.lesson.translation import translate_notebook

    answers = {}
    for cell in cells:
        grade_id, separator, file = cell.partition("=")
        if not separator or not Path(file).is_file():
            raise WorkbookError(
                N_("--cell {cell} cannot be used; write GRADE_ID=FILE with a file that exists."), cell=cell
            )
        try:
            answers[grade_id] = Path(file).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise WorkbookError(N_("{file} is not UTF-8 text; name a file of Python code."), file=file) from None
    lesson = Lesson.load(lesson_name, around(Path.cwd()))
    made = compose(lesson, answers, blank=blank)
    made = made if spoken() == "en" else translate_notebook(made, spoken(), lesson)
    output.write_text(write_notebook(made), encoding="utf-8")
    print(wrote(output))
