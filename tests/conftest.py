"""Options of the test run."""

import functools
import gc
import lzma
import os
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from autograder.common.course import WORKBOOK, Course

if TYPE_CHECKING:
    from autograder.sandbox.limits import Limits
    from autograder.sandbox.parent import Sandbox
    from autograder.sandbox.session import Session

# Before torch is loaded: tests share the cores, and two threads each would slow all of them.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Nothing is timed: a busy computer fails no test.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all-attacks", action="store_true", help="Grade every attack of the corpus, the slow ones too.")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "made_up_texts: renders messages that no catalogue has")
    config.addinivalue_line("markers", "only_with_all_attacks: graded with --all-attacks only")


def pytest_collectstart() -> None:
    gc.disable()  # nearly all that is made while tests are collected stays until the end: a quarter of the time


def pytest_collection_finish() -> None:
    gc.freeze()  # the garbage collector then leaves out the modules and tests
    gc.enable()
    gc.set_threshold(50_000)  # a twentieth of the processor time; by default 700 new objects start a search


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--all-attacks"):
        return
    skip = pytest.mark.skip(reason="an attack that is not quick: --all-attacks grades it")
    for item in items:
        if item.get_closest_marker("only_with_all_attacks"):
            item.add_marker(skip)


@pytest.fixture(scope="session", autouse=True)
def packed_quickly() -> Iterator[None]:
    """Editions for Colab are packed with less care, because to pack one well takes a second; see `test_bundle.py`."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(lzma, "compress", functools.partial(lzma.compress, preset=0))
        yield


@pytest.fixture(scope="session")
def warm() -> Iterator["Sandbox"]:
    """The sandbox that tests share, because its parent takes a second to start; each session gets its own limits."""
    from autograder.sandbox.parent import Sandbox

    with Sandbox(WORKBOOK) as sandbox:
        yield sandbox


@pytest.fixture(scope="session", autouse=True)
def one_parent_for_all_courses() -> Iterator[None]:
    """Courses without lessons of their own share a sandbox, because a parent takes more than a second to start."""
    from autograder.gradebook import best
    from autograder.sandbox import parent

    own = parent.shared_sandbox

    def shared(course: Course) -> "Sandbox":
        return own(course if course.adds else WORKBOOK)

    with pytest.MonkeyPatch.context() as patched:
        for module in (parent, best):
            patched.setattr(module, "shared_sandbox", shared)
        yield


@pytest.fixture(scope="module")
def limits() -> "Limits":
    """The limits of a module's `sandbox`; a module that needs others has its own fixture."""
    from tests.helpers.sessions import LIMITS

    return LIMITS


@pytest.fixture(scope="module")
def sandbox(warm: "Sandbox", limits: "Limits") -> Iterator["Sandbox"]:
    from tests.helpers.sessions import limited

    with limited(warm, limits):
        yield warm


@pytest.fixture
def session(sandbox: "Sandbox") -> Iterator["Session"]:
    with sandbox.session() as session:
        yield session


@pytest.fixture(autouse=True)
def scaffolds_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lesson run in a test installs its classes in `utils`; the next test finds what this one found."""
    from utils.captioning import layers, model

    for module in (layers, model):
        for name in module.SCAFFOLDS:
            monkeypatch.setattr(module, name, getattr(module, name))


@pytest.fixture(autouse=True)
def sentences_are_english_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that speaks a course's language leaves the next test its English."""
    from autograder.common import sentences

    monkeypatch.setattr(sentences, "_language", "en")


@pytest.fixture(autouse=True)
def every_message_has_a_translation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that any test renders must stand in the catalogues; a test marked `made_up_texts` has its own."""
    if request.node.get_closest_marker("made_up_texts"):
        return
    from utils.common.messages import Message

    known = _catalogues()
    render = Message.render

    def checked(self: Message, language: str = "en") -> str:
        missing = self.template and not all(self.template in texts for texts in known)
        assert not missing, f"{self.template!r} is in no catalogue: mark it with N_ and run `make translate`"
        return render(self, language)

    monkeypatch.setattr(Message, "render", checked)


@cache
def _catalogues() -> list[Mapping[str, str]]:
    from tests.helpers.languages import TRANSLATED
    from utils.common.messages import translations

    return [translations(language) for language in TRANSLATED]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """One result store for a module's tests, so that each notebook runs once."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("ATTENTION_WORKBOOK_STORE", str(tmp_path_factory.mktemp("store")))
        yield


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch):
    """Collect the figures that are shown instead of showing them."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    shown: list = []
    monkeypatch.setattr(plt, "show", lambda: shown.append(plt.gcf()))
    yield shown
    plt.close("all")
