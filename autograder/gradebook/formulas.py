"""Formulas of markdown as MathML, which browsers show by themselves: pages need neither a script nor the network.

nbconvert leaves a formula as LaTeX, which MathJax, loaded from the network, would show. The renderer here writes MathML
instead, made by latex2mathml (3.81) and cleaned by nh3. A formula that latex2mathml cannot read stays as LaTeX.
"""

import html
import re
from xml.etree.ElementTree import tostring

import nh3
from nbconvert.filters.markdown_mistune import InvalidNotebook, IPythonRenderer

# The elements of MathML that stay, and the attributes that they may have: those that only arrange symbols.
ATTRIBUTES = {
    *("display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "fence", "form", "accent", "minsize"),
    *("maxsize", "width", "linethickness", "columnalign"),
}
ELEMENTS = dict.fromkeys(
    [
        *("math", "mrow", "mi", "mo", "mn", "mtext", "mspace", "msup", "msub", "msubsup", "munder", "mover"),
        *("munderover", "mfrac", "msqrt", "mroot", "mtable", "mtr", "mtd", "mstyle", "mphantom"),
    ],
    ATTRIBUTES,
)
# `mpadded` loses its width, because with a width of 0 the rest of the line would be written over its content.
ELEMENTS |= {"mpadded": set(), "menclose": {"notation"}}
# Attributes may be words and small sizes, so that no formula covers another part of the page.
VALUE = re.compile(r"[a-z-]{1,20}( [a-z-]{1,20})*|\d{1,2}(\.\d{1,3})?(em|%)?")
# The most characters of a formula; the longest of the lessons has 150.
MAX_LENGTH = 2000
# Formulas that define macros stay as LaTeX, because a macro may double its text at every use.
MACROS = re.compile(r"\\(re)?newcommand|\\def(?![a-z])")
# Environments that latex2mathml reads only under the name `align*`, which numbers no lines.
ALIGNED = re.compile(r"\\(begin|end)\{(aligned|align|eqnarray)\*?\}")


def allowed_value(tag: str, name: str, value: str) -> str | None:
    """Return the value of a formula's attribute if it may stay, else None; the form is nh3's."""
    return value if VALUE.fullmatch(value) else None


CLEANER = nh3.Cleaner(tags=set(ELEMENTS), attributes={"*": set(), **ELEMENTS}, attribute_filter=allowed_value)


class FormulaRenderer(IPythonRenderer):
    """nbconvert's renderer (7.17), which writes formulas as MathML in place of passing them on."""

    def __init__(self, attachments: dict[str, dict[str, str]]):
        # Links beside headings are left out, because the cleaning removes the headings' ids, to which they lead.
        super().__init__(escape=False, attachments=attachments, exclude_anchor_links=True)

    def block_math(self, body: str) -> str:
        return mathml(body.strip(), display=True)

    def inline_math(self, body: str) -> str:
        return mathml(body.strip(), display=False)

    def latex_environment(self, name: str, body: str) -> str:
        return mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", display=True)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """Return the picture; its text alone if the picture is not attached, for which nbconvert raises an error."""
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
        # latex2mathml writes operators as references, "&#x0003D;"; `tostring` would escape their "&".
        for element in tree.iter():
            element.text = html.unescape(element.text or "")
        return CLEANER.clean(tostring(tree, encoding="unicode"))
    except Exception:  # any error that a student's formula causes in latex2mathml
        return f"<code>{html.escape(latex)}</code>"
