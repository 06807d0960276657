"""Formulas of markdown as MathML, which browsers show by themselves: pages need neither a script nor the network.

nbconvert leaves a formula as LaTeX, which MathJax, loaded from the network, would show. The renderer here writes MathML
instead, made by latex2mathml (3.81) and cleaned by nh3. A formula that latex2mathml cannot read stays as LaTeX.
"""

import html
import re
from xml.etree.ElementTree import tostring

import nh3
from nbconvert.filters.markdown_mistune import InvalidNotebook, IPythonRenderer

# Elements that arrange mathematics, each with its attributes.
ARRANGE = {
    *("display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "fence", "form", "accent", "minsize"),
    *("maxsize", "width", "linethickness", "columnalign"),
}
ELEMENTS = dict.fromkeys(
    [
        *("math", "mrow", "mi", "mo", "mn", "mtext", "mspace", "msup", "msub", "msubsup", "munder", "mover"),
        *("munderover", "mfrac", "msqrt", "mroot", "mtable", "mtr", "mtd", "mstyle", "mphantom"),
    ],
    ARRANGE,
)
# `mpadded` keeps no width, because with a width of 0 the rest of the line is written over its content.
ELEMENTS |= {"mpadded": set(), "menclose": {"notation"}}
# Words and small sizes: nothing may be moved over another part of the page, or made as large as it.
VALUE = re.compile(r"[a-z-]{1,20}( [a-z-]{1,20})*|\d{1,2}(\.\d{1,3})?(em|%)?")
# Letters of a formula; the longest of the lessons has 150.
MAX_LENGTH = 2000
# A macro may double at every use.
MACROS = re.compile(r"\\(re)?newcommand|\\def(?![a-z])")
# Environments that latex2mathml knows only as `align*`, which has no number at the end of a line.
ALIGNED = re.compile(r"\\(begin|end)\{(aligned|align|eqnarray)\*?\}")


def arranges(tag: str, name: str, value: str) -> str | None:
    """Return the value of an attribute in a formula, None if it may not stay."""
    return value if VALUE.fullmatch(value) else None


CLEANER = nh3.Cleaner(tags=set(ELEMENTS), attributes={"*": set(), **ELEMENTS}, attribute_filter=arranges)


class FormulaRenderer(IPythonRenderer):
    """nbconvert's renderer (7.17), which writes formulas as MathML in place of passing them on."""

    def __init__(self, attachments: dict[str, dict[str, str]]):
        # Headings lose their ids in the cleaning, and with them what an anchor would lead to.
        super().__init__(escape=False, attachments=attachments, exclude_anchor_links=True)

    def block_math(self, body: str) -> str:
        return mathml(body.strip(), display=True)

    def inline_math(self, body: str) -> str:
        return mathml(body.strip(), display=False)

    def latex_environment(self, name: str, body: str) -> str:
        return mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", display=True)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Return the picture; its name alone where it was not attached, which nbconvert takes for a broken notebook."""
        try:
            return str(super().image(text, url, title))
        except InvalidNotebook:
            return html.escape(text)


def mathml(latex: str, *, display: bool) -> str:
    """Return a formula as MathML, or as LaTeX in `<code>` if it cannot be read."""
    from latex2mathml.converter import Converter  # here, because it is slow to load and few pages have formulas

    try:
        if len(latex) > MAX_LENGTH or MACROS.search(latex):
            raise ValueError(latex[:20])
        readable = ALIGNED.sub(r"\\\1{align*}", latex)
        tree = Converter(display="block" if display else "inline").convert_to_element(readable)
        for element in tree.iter():  # signs are references, "&#x0003D;", so latex2mathml itself escapes no text
            element.text = html.unescape(element.text or "")
        return CLEANER.clean(tostring(tree, encoding="unicode"))
    except Exception:  # whatever a student's formula does to latex2mathml
        return f"<code>{html.escape(latex)}</code>"
