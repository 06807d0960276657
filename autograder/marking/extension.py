"""The extension of the Jupyter server: it adds the marking page's addresses, and a link to them in formgrader."""

import os
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader
from jupyter_server.utils import url_path_join

from autograder.marking.handlers import ADDRESSES
from autograder.marking.markers import MARKER, Aliases, only_marking

TEMPLATES = Path(__file__).parent / "templates" / "formgrader"


def load(server: Any) -> None:
    """Add the page's addresses to a Jupyter server, below its base address."""
    if marker := os.environ.get(MARKER):
        server.web_app.settings |= {MARKER: marker, Aliases.__name__: Aliases()}
        only_marking(server.web_app)
    base = server.web_app.settings["base_url"]
    server.web_app.add_handlers(".*$", [(url_path_join(base, path), *rest) for path, *rest in ADDRESSES])


async def begin(server: Any) -> None:
    """Add the link to formgrader's list *Manual Grading*, after all extensions are loaded."""
    # Our template extends formgrader's template of the same name, which it loads by the prefix "nbgrader".
    environment = server.web_app.settings.get("nbgrader_jinja2_env")
    if environment is not None:
        theirs = environment.loader
        ours = FileSystemLoader(TEMPLATES)
        environment.loader = ChoiceLoader([ours, theirs, PrefixLoader({"nbgrader": theirs})])
