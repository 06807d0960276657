"""What Sphinx does for our pages besides its own: formulas as MathML, a search that finds Chinese, other languages.

Formulas come from latex2mathml, as in feedback, and need no script. Sphinx's own Chinese search (9.0) wants a
dictionary of words (jieba, 19 MB, of 2020), and its script stops at a stemmer that is not there. Here each pair of
neighbouring characters is a term, and a question is cut in the same way, so that any word of two or more is found.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.search import SearchLanguage

from autograder.common.errors import BuildError
from autograder.gradebook.formulas import mathml
from autograder.lesson.translation import LANGUAGES, message
from utils.checks.standing import ITSELF
from utils.version import __version__

HAN = re.compile("[\u3400-\u9fff]")
PARTS = re.compile(r"[\u3400-\u9fff]+|[^\W\u3400-\u9fff]+")
SPLITTER = """\
function splitQuery(query) {
  const found = query.match(/[\\p{Letter}\\p{Number}_]+/gu) || [];
  return found.flatMap((run) => (run.match(/[\u3400-\u9fff]+|[^\u3400-\u9fff]+/g) || []).flatMap((part) =>
    /[\u3400-\u9fff]/.test(part) && part.length > 2
      ? Array.from({length: part.length - 1}, (_, i) => part.slice(i, i + 2)) : [part]));
}
"""


class PairsOfCharacters(SearchLanguage):
    """A search for Chinese with pairs of characters for words; letters and numbers are words as they stand."""

    lang = "zh"
    language_name = "Chinese"
    js_splitter_code = SPLITTER

    def split(self, input: str) -> list[str]:
        runs = PARTS.findall(input)
        return [pair for run in runs for pair in (_pairs(run) if HAN.match(run) else [run])]


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(max(1, len(run) - 1))]


def _formula(translator: Any, node: nodes.Element, *, display: bool) -> None:
    written = mathml(node.astext().strip(), display=display)
    if written.startswith("<code>"):
        raise BuildError(f"A formula cannot be read: {node.astext().strip()}; mend it, or write it more simply.")
    translator.body.append(f'<div class="formula">{written}</div>' if display else written)
    raise nodes.SkipNode


def _inline(translator: Any, node: nodes.Element) -> None:
    _formula(translator, node, display=False)


def _block(translator: Any, node: nodes.Element) -> None:
    _formula(translator, node, display=True)


def _add_to_page(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    """Give a page's template the version, and the address of the same page, else the first, in each language."""
    here = app.config.workbook_language
    to_root = "../" * pagename.count("/") + ("" if here == "en" else "../")
    same = pagename if pagename.startswith("lessons/") or pagename == "search" else "index"
    if here == "en" and pagename == "docs/student":
        same = "index"
    places = {code: f"{to_root}{'' if code == 'en' else f'{code}/'}{same}.html" for code in LANGUAGES}
    if pagename == "index" and here != "en":  # what the other languages begin with is the student's page
        places["en"] = f"{to_root}docs/student.html"
    context["languages"] = [(code, message(ITSELF, code), places[code]) for code in LANGUAGES]
    context["workbook_language"], context["workbook_version"] = here, __version__


def setup(app: Any) -> dict[str, Any]:
    app.add_config_value("workbook_language", "en", "html")
    app.add_html_math_renderer("workbook", (_inline, None), (_block, None))
    app.add_search_language(PairsOfCharacters)
    app.connect("html-page-context", _add_to_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
