"""nbgrader's own commands come in by the workbook's configuration, or by the environment's, to the same steps.

Each in a process of its own, since a sandbox is begun once, and what is loaded cannot be unloaded.
"""

import pytest

from autograder.common.paths import CONFIG_NAME, ROOT
from autograder.course import new
from tests.autograder.speed.test_loading import fresh

LOADED = """\
import sys
sys.argv = ["nbgrader", {command!r}]
from traitlets.config.loader import PyFileConfigLoader
from autograder.sandbox import launch
launch.begin = lambda course: print("begun, torch" if "torch" in sys.modules else "begun")
config = PyFileConfigLoader({path!r}).load_config()
from autograder.gradebook.steps import Examine
print(Examine in config.Autograde.autograde_preprocessors, "matplotlib" in sys.modules)
"""


@pytest.fixture(params=["the workbook's", "the environment's"])
def configuration(request, tmp_path):
    """The path of a configuration that nbgrader may load."""
    return str(ROOT / CONFIG_NAME if request.param == "the workbook's" else new.install(tmp_path)[1])


@pytest.mark.whole
def test_it_is_loaded_quickly_and_for_grading_a_sandbox_is_begun_before(configuration):
    assert fresh(LOADED.format(command="autograde", path=configuration)) == "begun\nTrue False"
    assert fresh(LOADED.format(command="generate_feedback", path=configuration)) == "True False"


def test_a_python_that_lacks_what_the_steps_need_ends_with_a_sentence(configuration):
    lacks = 'sys.modules["torch"] = None\nimport traitlets.config.loader as loader'
    ends = "try:\n    loader.PyFileConfigLoader({path!r}).load_config()\nexcept SystemExit as error:\n    print(error)"
    told = fresh(f"import sys\n{lacks}\n{ends}".format(path=configuration))
    assert told.startswith(f"{ROOT} cannot be used by this Python (") and told.endswith("/.venv/bin/activate")
