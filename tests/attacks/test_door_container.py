"""The door of Podman's and Docker's way: the names of files that students chose, on an engine's command line."""

import pytest

from autograder.common.errors import ContainerError
from autograder.sandbox import container
from autograder.sandbox.container import Engine

# An engine reads an option's parts between commas, and some read quotation marks.
REFUSED = [
    "a.ipynb,source=..,target=x",
    "a.ipynb,readonly=false",
    "a.ipynb,U=true",
    "a.ipynb,relabel=shared",
    "a.ipynb,bind-propagation=rshared",
    ",.ipynb",
    'a".ipynb',
    '",type=tmpfs,".ipynb',
    "a\n.ipynb",
    "a\r,b.ipynb",
]
TAKEN = [
    "-v.ipynb",
    "--privileged.ipynb",
    "a b.ipynb",
    "a:b:rw.ipynb",
    "source=x.ipynb",
    "$(id).ipynb",
    "`id`;id.ipynb",
    "é'.ipynb",
    f"{container.image_name()}",
]


@pytest.mark.parametrize("engine", ["podman", "docker"])
@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_an_engine_would_read_as_options_is_refused(tmp_path, name, engine):
    (tmp_path / name).touch()
    with pytest.raises(ContainerError, match="comma, a quotation mark or a line end"):
        container.start_command(Engine(engine, False), tmp_path, tmp_path / name)


@pytest.mark.parametrize("name", TAKEN)
def test_any_other_name_is_one_file_that_is_read_only(tmp_path, name):
    (tmp_path / name).touch()
    command = container.start_command(Engine("podman", False), tmp_path, tmp_path / name)
    assert command[-3:] == [
        f"type=bind,source={tmp_path / name},target={tmp_path / name},readonly",
        "--workdir",
        str(tmp_path),
    ]
    assert not set(command) & {name, "--privileged"}


def test_a_course_with_such_a_name_is_refused_as_well(tmp_path):
    course = tmp_path / "2026,autumn"
    course.mkdir()
    with pytest.raises(ContainerError, match="rename it"):
        container.start_command(Engine("docker", False), course)
