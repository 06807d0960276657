"""Formulas of markdown as MathML, which browsers show by themselves: pages need neither a script nor the network.

nbconvert leaves formulas as they are, for MathJax to come from the network. Here its renderer leaves a mark for each;
when the page has been cleaned, what latex2mathml (3.81) makes of the formula is put there. Its own way to text is not
used: it writes what stands in a formula, `\\text{<script>}`, into the page as it is. So the tree is written by us, with
the elements and attributes that arrange mathematics, and no others. What cannot be read stays as LaTeX.
"""

import html
import re
from xml.etree.ElementTree import Element

from nbconvert.filters.markdown_mistune import InvalidNotebook, IPythonRenderer

ELEMENTS = {
    *("math", "mrow", "mi", "mo", "mn", "mtext", "mspace", "msup", "msub", "msubsup", "munder", "mover"),
    *("munderover", "mfrac", "msqrt", "mroot", "mtable", "mtr", "mtd", "mstyle", "mphantom"),
}
ATTRIBUTES = {
    *("display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "fence", "form", "accent", "minsize"),
    *("maxsize", "width", "linethickness", "columnalign"),
}
# Words and small sizes: nothing may be moved over another part of the page, or made as large as it.
VALUE = re.compile(r"[a-z-]{1,20}( [a-z-]{1,20})*|\d{1,2}(\.\d{1,3})?(em|%)?")
# Letters of a formula; the longest of the lessons has 150.
MAX_LENGTH = 2000
# A macro may double at every use.
MACROS = re.compile(r"\\(re)?newcommand|\\def(?![a-z])")
# What latex2mathml knows by another name, without a number at the line's end.
ALIGNED = re.compile(r"\\(begin|end)\{(aligned|align|eqnarray)\*?\}")
# Around a formula's number, while the page is cleaned; no text has these signs.
OPEN, CLOSE = "\ue000", "\ue001"
MARK = re.compile(f"{OPEN}(\\d+){CLOSE}")
TAG = re.compile(r"""(<(?:"[^"]*"|'[^']*'|[^>"'])*>)""")


class FormulaRenderer(IPythonRenderer):
    """nbconvert's renderer (7.17), which notes formulas in place of passing them on."""

    def __init__(self, attachments: dict[str, dict[str, str]]):
        # Headings lose their ids in the cleaning, and with them what an anchor would lead to.
        super().__init__(escape=False, attachments=attachments, exclude_anchor_links=True)
        self.formulas: list[tuple[str, bool]] = []

    def _noted(self, latex: str, *, display: bool) -> str:
        self.formulas.append((latex.strip(), display))
        return f"{OPEN}{len(self.formulas) - 1}{CLOSE}"

    def block_math(self, body: str) -> str:
        return self._noted(body, display=True)

    def inline_math(self, body: str) -> str:
        return self._noted(body, display=False)

    def latex_environment(self, name: str, body: str) -> str:
        return self._noted(f"\\begin{{{name}}}{body}\\end{{{name}}}", display=True)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Return the picture; its name alone where it was not attached, which nbconvert takes for a broken notebook."""
        try:
            return str(super().image(text, url, title))
        except InvalidNotebook:
            return html.escape(text)

    def put_into(self, cleaned: str) -> str:
        """Return the page with its formulas; inside a tag, in a picture's name for instance, as LaTeX."""
        parts = TAG.split(cleaned)
        return "".join(MARK.sub(self._as_text if i % 2 else self._as_mathml, part) for i, part in enumerate(parts))

    def _as_text(self, mark: re.Match[str]) -> str:
        return html.escape(self.formulas[int(mark[1])][0])

    def _as_mathml(self, mark: re.Match[str]) -> str:
        latex, display = self.formulas[int(mark[1])]
        return mathml(latex, display=display)


def without_marks(source: str) -> str:
    """Return a text without the signs that stand around a formula's number."""
    return source.replace(OPEN, "").replace(CLOSE, "")


def mathml(latex: str, *, display: bool) -> str:
    """Return a formula as MathML; as LaTeX, in `<code>`, what cannot be read."""
    from latex2mathml.converter import Converter  # here, since marks need no formula

    try:
        if len(latex) > MAX_LENGTH or MACROS.search(latex):
            raise ValueError(latex[:20])
        readable = ALIGNED.sub(r"\\\1{align*}", latex)
        tree = Converter(display="block" if display else "inline").convert_to_element(readable)
        tree.attrib.pop("xmlns", None)  # HTML knows it
        return _written(tree)
    except Exception:  # whatever a student's formula does to latex2mathml
        return f"<code>{html.escape(latex)}</code>"


def _written(element: Element) -> str:
    """Return an element of mathematics as text; one of another kind as a row of what is in it."""
    tag = element.tag if element.tag in ELEMENTS else "mrow"
    kept = {n: v for n, v in element.attrib.items() if n in ATTRIBUTES and VALUE.fullmatch(v)}
    attributes = "".join(f' {name}="{value}"' for name, value in kept.items())
    # latex2mathml writes signs as references, "&#x0003D;".
    text = html.escape(html.unescape(element.text or ""))
    return f"<{tag}{attributes}>{text}{''.join(map(_written, element))}</{tag}>"
