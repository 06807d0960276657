"""nbgrader's own export in a course: its table as it is, and a warning of who is excused."""

import logging

from nbgrader.api import Gradebook
from nbgrader.apps.exportapp import ExportApp
from nbgrader.coursedir import CourseDirectory

from autograder.common.course import Course
from autograder.gradebook import configuration
from autograder.gradebook.table import Export
from tests.helpers.courses import configure


def test_who_is_excused_is_warned_of_by_name(tmp_path, caplog):
    (tmp_path / "extensions.csv").write_text("id,lesson,due,excused\nzoe,attention,,yes\neve,captioning,,yes\n")
    app = ExportApp(log=logging.getLogger("export"))
    app.coursedir = CourseDirectory(root=str(tmp_path))
    with Gradebook("sqlite://") as gradebook, caplog.at_level(logging.WARNING, "export"):
        for student in ("ada", "zoe", "eve"):
            gradebook.add_student(student)
        gradebook.add_assignment("attention")
        Export(parent=app, log=app.log, to=str(tmp_path / "grades.csv")).export(gradebook)
    assert (tmp_path / "grades.csv").read_text().count("attention,") == 3
    [said] = [record.getMessage() for record in caplog.records]
    assert "excused from attention: zoe." in said and "`workbook export attention`" in said


def test_a_course_uses_it_unless_its_configuration_names_another(tmp_path):
    configure(tmp_path)
    assert configuration.configuration(Course(tmp_path)).ExportApp.plugin_class is Export
