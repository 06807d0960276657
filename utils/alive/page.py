"""One HTML file of a lesson's explorer: its ES modules joined, its styles, and one message.

Why the modules are joined: a page in a frame (`srcdoc`) lacks a folder, so that a module's imports would fail; and a
saved page is one file. Each module becomes the body of a function, so that names of different modules never collide.
The page loads nothing, and its security policy forbids loading, so that a message can neither fetch nor run anything.
"""

import html
import json
import posixpath
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from utils.common import lessons
from utils.common.messages import direction

COMMON = "alive/js"  # the modules of all explorers; a lesson's own modules are in its folder `page`
# `import { a, b as c } from "./x.js";`, and the names after `export function`, `export function*`, `export const`.
IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function\*?|const) (\w+)", re.MULTILINE)
# Comments that fill whole lines are left out, because each saved notebook contains the page.
COMMENT = re.compile(r"^[ ]*(?://.*|/\*\*(?:.|\n)*?\*/[ ]*)\n", re.MULTILINE)
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
PAGE = """\
<!doctype html>
<html lang="{language}" dir="{direction}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
<main id="explorer"></main>
<script type="module">
{modules}
const message = {message};
try {{
  {entry}.mount(document.getElementById("explorer"), message);
}} catch (error) {{
  document.getElementById("explorer").textContent = message.words.broken;
  throw error;
}} finally {{
  document.body.style.background = "Canvas"; // Until here the picture below a frame shines through.
}}
</script>
</html>
"""


def page(lesson: str, message: Mapping[str, Any]) -> str:
    """Return the page of a lesson's explorer; `message` has `language`, `title`, `words` and the exported networks."""
    entry = f"{lesson}/page/explorer.js"
    # Escaped, because "</script>" in the data would end the script.
    data = json.dumps(message, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return PAGE.format(
        language=html.escape(message["language"]),
        direction=direction(message["language"]),
        title=html.escape(message["title"]),
        policy=POLICY,
        style=styles(lesson),
        modules=modules(entry),
        entry=_variable(entry),
        message=data,
    )


@cache
def modules(entry: str) -> str:
    """Return a module and its imports as one script, in which the variable `_variable(entry)` has its exports."""
    return "\n".join(_as_object(name) for name in _in_order(entry, []))


def styles(lesson: str) -> str:
    """Return the styles of all explorers, and the lesson's own."""
    return "".join(map(_text, (f"{COMMON}/style.css", f"{lesson}/page/style.css")))


def _in_order(name: str, known: list[str]) -> list[str]:
    """Return the names of a module and all its imports; each module comes after the modules that it imports."""
    for _, target in IMPORT.findall(_text(name)):
        other = _path(name, target)
        if other not in known:
            _in_order(other, known)
    known.append(name)
    return known


def _as_object(name: str) -> str:
    """Return a module as code for an object of its exports; its imports become names of earlier modules' objects."""

    def import_from_object(match: re.Match[str]) -> str:
        return f"const {{{match[1].replace(' as ', ': ')}}} = {_variable(_path(name, match[2]))};\n"

    text = _text(name)
    exports = ", ".join(EXPORT.findall(text))
    code = COMMENT.sub("", IMPORT.sub(import_from_object, text))
    body = re.sub(r"^export (?=async |function|const)", "", code, flags=re.MULTILINE)
    return f"const {_variable(name)} = (() => {{\n{body}return {{ {exports} }};\n}})();"


def _text(name: str) -> str:
    return lessons.file(*name.split("/", 1)).read_text(encoding="utf-8")


def _path(importer: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(importer), target))


def _variable(name: str) -> str:
    return "module_" + re.sub(r"\W", "_", name.removesuffix(".js"))
