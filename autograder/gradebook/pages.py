"""Markdown as HTML that cannot run, for the pages that instructors and students open.

nbgrader's templates (feedback, formgrade; 0.9.6) put the rendered markdown into the page as it is: they do
not ask nbconvert's `sanitize_html`. So the filter that renders it is replaced by one that cleans up after it.
"""

from functools import cache

import bleach
from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.exporters import HTMLExporter

TAGS = {
    *("a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "details", "dl", "dt", "em", "h1", "h2", "h3", "h4"),
    *("h5", "h6", "hr", "i", "img", "kbd", "li", "ol", "p", "pre", "s", "strong", "sub", "summary", "sup", "table"),
    *("tbody", "td", "th", "thead", "tr", "u", "ul", "div", "span"),
}
PICTURES = ("data:image/png;base64,", "data:image/jpeg;base64,")
LINKS = ("https://", "http://", "mailto:", "#")


def _allowed(tag: str, name: str, value: str) -> bool:
    """Links that lead to pages, pictures that are in the notebook: one from elsewhere would tell who looks at it."""
    if tag == "img":
        return name in ("alt", "title", "width") or (name == "src" and value.startswith(PICTURES))
    return tag == "a" and (name == "title" or (name == "href" and value.lower().startswith(LINKS)))


# As nbconvert has it by itself, whatever the course sets: `filters` may name this very module.
_exporter = cache(HTMLExporter)


@pass_context
def safe_markdown(context: Context, source: str) -> str:
    """nbconvert's filter `markdown2html`, followed by a cleaning. No ids are kept: they could stand for a form's."""
    html = _exporter().markdown2html(context, source)
    cleaned = bleach.clean(
        html, tags=TAGS, attributes=_allowed, protocols=["http", "https", "mailto", "data"], strip=True
    )
    return str(cleaned)
