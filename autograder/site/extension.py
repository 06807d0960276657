"""What the site adds to Sphinx: formulas as MathML, Chinese words in the search, links to the other languages, access.

latex2mathml writes the formulas, as in feedback, so that a page needs no script for them. Sphinx's own Chinese search
(9.0) needs jieba (a dictionary of 19 MB, last released in 2020), and its script fails without a stemmer. Here each pair
of neighbouring Chinese characters is a search term, in pages and in queries, so that any word of two or more is found.
"""

import re
from functools import partial
from typing import Any

from docutils import nodes
from sphinx.search import SearchLanguage
from sphinx.util.logging import getLogger

from autograder.gradebook.formulas import mathml
from autograder.lesson.translation import LANGUAGES
from autograder.site.documents import same_page
from utils.common.messages import own_name
from utils.version import __version__

HAN = "[\u3400-\u9fff]"
# Each pair of Chinese characters (pairs overlap), or a run of other letters and digits, or a single Chinese character.
TERM = f"(?=({HAN}{{2}}))|((?:(?!{HAN})LETTER)+|(?<!{HAN}){HAN}(?!{HAN}))"
TERMS = re.compile(TERM.replace("LETTER", r"\w"))
IN_QUERIES = TERM.replace("LETTER", r"[\p{Letter}\p{Number}_]")
SPLITTER = f"""\
function splitQuery(query) {{
  return Array.from(query.matchAll(/{IN_QUERIES}/gu), (found) => found[1] || found[2]);
}}
"""


class PairsOfCharacters(SearchLanguage):
    """Chinese for Sphinx's search. Each pair of Chinese characters is a term; so is each word in other letters."""

    lang = "zh"
    language_name = "Chinese"
    js_splitter_code = SPLITTER

    def split(self, input: str) -> list[str]:
        return [pair or word for pair, word in TERMS.findall(input)]


def _formula(translator: Any, node: nodes.Element, *, display: bool) -> None:
    """Write a formula; `display` puts it on a line of its own."""
    formula = mathml(node.astext().strip(), display=display)
    if formula.startswith("<code>"):
        getLogger(__name__).warning("This formula cannot be read: %s", node.astext().strip(), location=node)
    translator.body.append(f'<div class="formula">{formula}</div>' if display else formula)
    raise nodes.SkipNode


def _add_to_page(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Give a page's template the workbook's version, and the address of the page in each language."""
    here = app.config.language.partition("_")[0]
    to_root = "../" * (pagename.count("/") + (here != "en"))
    folders = {code: "" if code == "en" else f"{code}/" for code in LANGUAGES}
    places = {code: f"{to_root}{folder}{same_page(pagename, here, code)}.html" for code, folder in folders.items()}
    context["languages"] = [(code, own_name(code), places[code]) for code in LANGUAGES]
    context["workbook_language"], context["workbook_version"] = here, __version__


# The beginnings of elements that scroll where the window is narrow: code, furo's boxes of tables, formulas.
SCROLLING = re.compile(r'<pre(?=>)|<div class="(?:table-wrapper|formula)\b[^"]*"')


def _open_to_all(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Correct what shuts out people with a keyboard or a screen reader in pages by Sphinx (9.0) and furo (2025.12).

    An element that scrolls must take the focus. The captions in the sidebar are headings of no level.
    """
    context["body"] = SCROLLING.sub(r'\g<0> tabindex="0"', context.get("body", ""))
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Any) -> dict[str, Any]:
    """Register the additions above; Sphinx calls this function."""
    app.add_html_math_renderer(
        "workbook", (partial(_formula, display=False), None), (partial(_formula, display=True), None)
    )
    app.add_search_language(PairsOfCharacters)
    app.connect("html-page-context", _add_to_page)
    app.connect("html-page-context", _open_to_all, priority=900)  # after furo has written its sidebar
    return {"parallel_read_safe": True, "parallel_write_safe": True}
