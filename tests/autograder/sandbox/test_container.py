"""Grading in a container where there is no bubblewrap: with an engine that pretends, and with a real one if any."""

import json
import os
import pty
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from autograder.__main__ import main
from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import ContainerError
from autograder.common.paths import ROOT
from autograder.common.settings import IN_CONTAINER, STORE_FOLDER
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from autograder.sandbox import container
from autograder.sandbox.bubblewrap import bubblewrap
from autograder.sandbox.container import Engine

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
# Notes what it is asked, and runs the command here: what is "inside" has this computer's bubblewrap, and no engine.
ENGINE = """\
#!{python}
import json, os, sys
arguments = sys.argv[1:]
with open({log!r}, "a") as log:
    print(json.dumps([os.path.basename(sys.argv[0]), *arguments]), file=log)
says = json.loads(os.environ.get("FAKE_ENGINE", "{{}}"))
name = next((argument for argument in arguments if argument.startswith("attention-workbook-grader:")), None)
command = arguments[arguments.index(name) + 1:] if arguments[0] == "run" else []
asked = "look" if command[:1] == ["sh"] and "bwrap" in command[2] else arguments[0]
if asked == "build":
    print(sorted(os.listdir(arguments[-1])))
if asked in says:
    status, text = says[asked]
    print(text, file=sys.stderr)
    sys.exit(status)
if command:
    for at, argument in enumerate(arguments[:arguments.index(name)]):
        if argument == "--env":
            os.environ.update([arguments[at + 1].split("=", 1)])
    os.environ["PATH"] = {inside!r}
    os.chdir(arguments[arguments.index("--workdir") + 1])
    os.execvp(command[0], command)
"""


class Computer:
    """A computer without bubblewrap, with the engines that a test gives it."""

    def __init__(self, folder: Path):
        self.programs = folder / "programs"
        self.log = folder / "asked"
        self.programs.mkdir()
        self.inside = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

    def install(self, name: str) -> None:
        script = ENGINE.format(python=sys.executable, log=str(self.log), inside=self.inside)
        self.put(name, script)

    def put(self, name: str, script: str) -> None:
        (self.programs / name).write_text(script)
        (self.programs / name).chmod(0o755)

    def environment(self, says: dict | None = None, **variables: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name != STORE_FOLDER}
        return kept | {"PATH": str(self.programs), "FAKE_ENGINE": json.dumps(says or {})} | variables

    def run(self, *command: str, says: dict | None = None, **variables: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-m", "autograder", *command],
            cwd=ROOT,
            env=self.environment(says, **variables),
            capture_output=True,
            text=True,
            timeout=120,
        )

    def run_here(self, *command: str, **variables: str) -> Result:
        """Run a command that starts no container, quicker: in this process."""
        return CliRunner().invoke(main, command, env={"PATH": str(self.programs), **variables})

    def asked(self) -> list[list[str]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    def started(self) -> list[list[str]]:
        """What was run in containers, after the first look."""
        name = container.image_name()
        runs = [call[call.index(name) + 1 :] for call in self.asked() if call[1] == "run"]
        return [command for command in runs if "bwrap" not in " ".join(command)]


@pytest.fixture
def computer(tmp_path) -> Computer:
    return Computer(tmp_path)


@pytest.fixture
def course(tmp_path) -> Path:
    """A course in which nobody has handed in anything: grading it ends at once, with a sentence of its own."""
    folder = tmp_path / "course"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def notebook(tmp_path_factory) -> Path:
    return hand_in(compose(ATTENTION), Course(tmp_path_factory.mktemp("class")), "ada", LESSON)


# ---- which computer uses a container -----------------------------------------------------------------------


def test_without_bubblewrap_grading_goes_on_in_a_container(computer, course):
    computer.install("podman")
    done = computer.run("grade", LESSON, "--course", str(course), "--jobs", "3", "--force", "--no-feedback")
    assert done.returncode == 1
    assert done.stderr.startswith("bubblewrap is not installed here; grading goes on in a Linux container of Podman.\n")
    assert f"There are no submissions of attention in {course}" in done.stderr  # said by the grader inside
    options = ["--course", str(course), "--jobs", "3", "--force", "--no-feedback"]
    assert computer.started() == [["python", "-m", "autograder", "grade", LESSON, *options]]


def test_what_try_prints_comes_out_of_the_container_whole(computer, notebook):
    computer.install("docker")
    done = computer.run("try", LESSON, str(notebook), "--json")
    assert done.returncode == 0, done.stderr
    questions = json.loads(done.stdout)["questions"]
    assert all(question["points"] in (None, question["max_points"]) for question in questions)
    assert computer.started() == [["python", "-m", "autograder", "try", LESSON, str(notebook), "--json"]]


def test_where_bubblewrap_may_not_make_namespaces_that_is_the_reason(computer, monkeypatch):
    computer.put("bwrap", "#!/bin/sh\nexit 1\n")
    monkeypatch.setenv("PATH", str(computer.programs))
    assert container.missing() == "bubblewrap may not make namespaces here"


def test_where_bubblewrap_works_no_engine_is_asked(computer, course):
    computer.install("podman")
    computer.put("bwrap", f'#!/bin/sh\nexec {bubblewrap()} "$@"\n')
    computer.put("true", "#!/bin/sh\n")
    assert "There are no submissions" in computer.run_here("grade", LESSON, "--course", str(course)).output
    assert computer.asked() == []


@pytest.mark.parametrize(
    ("options", "variables"),
    [
        (["--scheduler", "tcp://127.0.0.1:9"], {}),
        ([], {IN_CONTAINER: "1"}),
    ],
)
def test_a_cluster_and_the_container_itself_start_none(computer, course, options, variables):
    computer.install("podman")
    done = computer.run_here("grade", LESSON, "--course", str(course), *options, **variables)
    assert "There are no submissions" in done.output
    assert computer.asked() == []


def test_inside_a_container_without_bubblewrap_comes_the_refusal(computer, notebook):
    computer.install("podman")
    done = computer.run("try", LESSON, str(notebook), **{IN_CONTAINER: "1"})
    assert done.returncode == 1
    assert "bubblewrap, which is not installed" in done.stderr
    assert computer.asked() == []


def test_with_neither_comes_the_refusal_that_names_all_ways(computer, notebook):
    done = computer.run("try", LESSON, str(notebook))
    assert done.returncode == 1
    assert "apt-get install bubblewrap" in done.stderr
    assert "with Podman or Docker" in done.stderr
    assert "python -m autograder container nbgrader autograde LESSON" in done.stderr


# ---- what is run in it ---------------------------------------------------------------------------------------


def test_any_command_runs_in_the_course_with_its_own_options_and_exit_status(computer, course):
    computer.install("docker")
    script = "import os, sys; print(os.getcwd(), os.environ['AUTOGRADER_CONTAINER'], sys.argv[1:]); sys.exit(7)"
    command = ["python", "-c", script, "--course", "a b", "-h"]
    done = computer.run("container", "--course", str(course), *command)
    assert (done.returncode, done.stdout) == (7, f"{course} 1 ['--course', 'a b', '-h']\n")
    assert computer.started() == [command]


def test_a_terminal_is_passed_on(computer):
    computer.install("podman")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "autograder", "container", "true"]
    done = subprocess.run(
        command, cwd=ROOT, env=computer.environment(), stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, timeout=60
    )
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 0, done.stderr
    *_, look, run = computer.asked()
    assert {"--interactive", "--tty"} <= set(run)
    assert "--tty" not in look


def test_the_first_engine_that_answers_is_used(computer):
    computer.install("docker")
    computer.put("podman", "#!/bin/sh\necho no machine is running >&2\nexit 125\n")
    assert computer.run("container", "true").returncode == 0
    assert {call[0] for call in computer.asked()} == {"docker"}


def option(command: list[str], name: str) -> list[str]:
    return [command[at + 1] for at, argument in enumerate(command) if argument == name]


@pytest.mark.parametrize("engine", ["podman", "docker"])
def test_a_container_sees_only_the_workbook_and_the_course_and_no_network(monkeypatch, tmp_path, engine):
    monkeypatch.delenv(STORE_FOLDER, raising=False)
    notebook = tmp_path / "one.ipynb"
    notebook.touch()
    command = container.start_command(Engine(engine, False), tmp_path, notebook)
    assert command[:3] == [engine, "run", "--rm"]
    assert option(command, "--network") == ["none"]
    assert option(command, "--mount") == [
        f"type=bind,source={ROOT},target={ROOT}",
        f"type=bind,source={tmp_path},target={tmp_path}",
        f"type=bind,source={notebook},target={notebook},readonly",
    ]
    assert option(command, "--workdir") == [str(tmp_path)]
    assert option(command, "--cap-drop") == ["ALL"]
    assert int(option(command, "--memory")[0]) >= 4 * 2**30
    assert int(option(command, "--pids-limit")[0]) > 0
    assert "--privileged" not in command
    assert ("unmask=ALL" in option(command, "--security-opt")) == (engine == "podman")
    assert ("seccomp=unconfined" in option(command, "--security-opt")) == (engine == "docker")


@pytest.mark.parametrize(
    ("uid", "rootless", "user"), [(1000, False, ["1000:100"]), (1000, True, []), (0, False, []), (0, True, [])]
)
def test_files_stay_the_callers_and_only_root_inside_has_rights(monkeypatch, uid, rootless, user):
    monkeypatch.setattr(os, "getuid", lambda: uid)
    monkeypatch.setattr(os, "getgid", lambda: 100)
    command = container.start_command(Engine("podman", rootless), ROOT)
    assert option(command, "--user") == user
    assert option(command, "--cap-add") == ([] if user else list(container.ROOT_RIGHTS))


def test_a_store_elsewhere_comes_along(computer, tmp_path):
    computer.install("podman")
    store = tmp_path / "not there yet"
    script = f"import os; print(os.environ['{STORE_FOLDER}'])"
    done = computer.run("container", "python", "-c", script, **{STORE_FOLDER: str(store)})
    assert done.stdout == f"{store}\n"
    assert store.is_dir()
    assert f"type=bind,source={store},target={store}" in option(computer.asked()[-1], "--mount")


def test_the_image_is_made_once_from_three_files_and_progress_is_no_output(computer):
    computer.install("docker")
    done = computer.run("container", "python", "-c", "print(1)", says={"image": [1, "no such image"]})
    assert done.stdout == "1\n"
    assert "['Containerfile', 'constraints.txt', 'pyproject.toml']" in done.stderr
    build = next(call for call in computer.asked() if call[1] == "build")
    assert option(build, "--tag") == [container.image_name()]
    computer.log.unlink()
    assert computer.run("container", "true").returncode == 0
    assert [call[1] for call in computer.asked()] == ["info", "image", "run", "run"]


def test_the_images_name_changes_with_what_it_is_made_of(monkeypatch, tmp_path):
    before = container.image_name()
    for name in container.sources():
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.setattr(container, "ROOT", tmp_path)
    assert container.image_name() == before
    with (tmp_path / "constraints.txt").open("a") as file:
        file.write("another==1.0\n")
    assert container.image_name() != before


def test_the_images_packages_can_be_read_from_the_files_that_it_is_built_from(tmp_path):
    """The command as `Containerfile` writes it, without an engine; what it lists is installed here, so pip agrees."""
    for name in container.sources():
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    text = (tmp_path / "Containerfile").read_text().replace("\\\n", "")
    steps = re.search(r"^RUN (pip install .*)$", text, re.MULTILINE)[1].split("&&")
    torch, listing, packages = (step.strip() for step in steps)
    python = shlex.quote(sys.executable)
    command = listing.replace("python", python, 1)
    command = command.replace("tomllib", "tomllib" if sys.version_info >= (3, 11) else "tomli")
    subprocess.run(command, shell=True, cwd=tmp_path, check=True)
    listed = (tmp_path / "requirements.txt").read_text()
    assert {"torch>=", "nbgrader>=", "einops>="} <= {line[: line.find(">=") + 2] for line in listed.splitlines()}
    pip = f"{python} -m pip install --no-index --no-deps --dry-run --quiet"
    offline = packages.replace("pip install --no-cache-dir --constraint constraints.txt", pip)
    assert offline != packages and torch.split()[-1] == "torch"
    done = subprocess.run(offline, shell=True, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-1000:]


# ---- sentences -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("says", "sentence"),
    [
        (
            {"info": [1, "Cannot connect to the Docker daemon."]},
            "Docker is installed but does not answer (Cannot connect to the Docker daemon.); start it",
        ),
        (
            {"image": [1, ""], "build": [1, "dial tcp: lookup registry-1.docker.io: no such host"]},
            "Docker could not make the container's image, the lines above say why; it needs the network once",
        ),
        ({"look": [125, f"mounts denied: The path {ROOT} is not shared"]}, "share these folders with them"),
        ({"look": [container.NOT_SHARED, ""]}, f"Docker's containers cannot write in {ROOT}"),
        ({"look": [125, "no space left on device"]}, "could not start the container (no space left on device)"),
        ({"look": [1, "bwrap: No permissions"]}, "either (bwrap: No permissions); if user namespaces are forbidden"),
    ],
)
def test_what_an_engine_cannot_do_is_one_sentence(computer, says, sentence):
    computer.install("docker")
    done = computer.run("container", "true", says=says)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert computer.started() == []


def test_a_container_without_an_engine_in_itself_or_for_no_course_is_one_sentence(computer, monkeypatch):
    assert "Neither Podman nor Docker is installed" in computer.run("container", "true").stderr
    computer.install("podman")
    assert "the container already" in computer.run("container", "true", **{IN_CONTAINER: "1"}).stderr
    assert "There is no folder" in computer.run("container", "--course", "nonesuch", "true").stderr
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(ContainerError, match="in WSL"):
        container.require_engine()


# ---- a real engine ---------------------------------------------------------------------------------------------


REAL = "ATTENTION_WORKBOOK_CONTAINER"


@pytest.mark.skipif(not os.environ.get(REAL), reason=f"{REAL}=1 tests the engine of this computer")
def test_a_real_container_gives_the_same_marks_and_reasons(tmp_path):
    answers = {"make_datasets": "while True:\n    pass\n", "self_attention": "import os\nos._exit(0)\n"}
    notebook = hand_in(compose(ATTENTION, answers), Course(tmp_path), "kurt", LESSON)
    command = ["python", "-m", "autograder", "try", LESSON, str(notebook), "--json"]
    marks = []
    for place in (["container", "--course", str(tmp_path), *command], command[3:]):
        done = subprocess.run([sys.executable, "-m", "autograder", *place], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        result = json.loads(done.stdout)
        marks.append((result["questions"], result["flags"]))
    assert marks[0] == marks[1]
    assert any("endless loop" in flag for flag in marks[0][1])
