"""A browser shows figures and drawings light or dark as the page is."""

import io

import pytest
from PIL import Image, ImageColor

from utils.common.embedded import as_image, themed
from utils.drawings.canvas import Canvas


@pytest.mark.parametrize(
    ("marks", "colour"),
    [
        ('data-jp-theme-light="true"', "white"),
        ('data-jp-theme-light="false"', "#111111"),
        ('class="vscode-dark"', "#111111"),
        ("", "white"),
    ],
)
@pytest.mark.parametrize("preferred", ["light", "dark"])
def test_a_figure_is_dark_where_the_page_is_whatever_the_browser_prefers(browser, marks, colour, preferred):
    """The ground tells, since the picture has one."""
    svg = themed(
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"></svg>', "background:#fff", "background:#111"
    )
    page = browser.new_page(color_scheme=preferred)
    page.set_content(f"<body {marks}>{as_image(svg, 'A figure.')}")
    shown = Image.open(io.BytesIO(page.locator("img").screenshot())).convert("RGB")
    assert shown.getpixel((10, 10)) == ImageColor.getrgb(colour)
    page.close()


def test_a_drawing_has_its_light_and_dark_exchanged_on_a_dark_page(browser):
    page = browser.new_page()
    canvas = Canvas(40, 40, "A card", "A white card.")
    page.set_content(f'<body data-jp-theme-light="false">{canvas._repr_mimebundle_()["text/html"]}')
    shown = Image.open(io.BytesIO(page.locator("img").screenshot())).convert("RGB")
    assert max(shown.getpixel((20, 20))) < 25
    page.close()
