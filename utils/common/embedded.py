"""Pictures embedded in a notebook's HTML: with alternative text, and light or dark as the page is.

An SVG in an `img` element cannot read the page's colours, but its style may depend on `prefers-color-scheme`, which is
the `color-scheme` of the element. The HTML sets it by the attributes and classes with which JupyterLab, VS Code and
Colab mark their theme. JupyterLab removes the style from a notebook that it does not trust; the picture then follows
the browser's preference. In either case the picture has its own background, so that it can always be read.
"""

import base64
from html import escape
from urllib.parse import quote, unquote

CLASS = "workbook-picture"
DARK_PAGES = ("[data-jp-theme-light=false]", ".vscode-dark", "[theme=dark]")  # JupyterLab, VS Code, Colab
STYLE = f".{CLASS}{{color-scheme:light}}{','.join(f'{page} .{CLASS}' for page in DARK_PAGES)}{{color-scheme:dark}}"
PREFIX = "data:image/svg+xml,"
# The characters that are percent-encoded in a picture's address: as few as possible, to save space.
ESCAPED = {ord(character): quote(character) for character in '%"#&\n'}


def themed(svg: str, light: str, dark: str) -> str:
    """Return an SVG with style rules for its root element: one on light pages, the other on dark pages."""
    style = f"<style>svg{{{light}}}@media (prefers-color-scheme:dark){{svg{{{dark}}}}}</style>"
    start = svg.index(">", svg.index("<svg")) + 1
    return svg[:start] + style + svg[start:]


def as_image(picture: str | bytes, sentence: str, language: str = "", style: str = "max-width:100%") -> str:
    """Return HTML for a picture, the text of an SVG or the bytes of a PNG, with its alternative text."""
    if isinstance(picture, bytes):
        address = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    else:
        address = PREFIX + picture.translate(ESCAPED)
    spoken = f' lang="{language}"' if language else ""
    image = f'<img class="{CLASS}" alt="{escape(sentence)}"{spoken} style="{style}" src="{address}">'
    return f"<style>{STYLE}</style>{image}"


def svg_in(html: str) -> str:
    """Return the SVG in HTML from `as_image`; "" if there is none."""
    _, _, rest = html.partition(f'"{PREFIX}')
    return unquote(rest.partition('"')[0])
