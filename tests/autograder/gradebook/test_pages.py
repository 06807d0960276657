"""Markdown on the pages that people open: what is in the notebook is shown, what lies elsewhere is not fetched."""

import base64
import gc
import io
import struct
import weakref
import zlib

import pytest
from PIL import Image

from autograder.gradebook import pages
from autograder.gradebook.pages import safe_markdown


def picture(kind: str = "png", width: int = 1, height: int = 1) -> str:
    """A picture in base64."""
    made = io.BytesIO()
    Image.new("1" if kind == "png" else "L", (width, height)).save(made, kind)
    return base64.b64encode(made.getvalue()).decode()


PIXEL = f"data:image/png;base64,{picture()}"


def page(source: str, resources: dict | None = None, **cell) -> str:
    return safe_markdown({"cell": cell, "resources": {} if resources is None else resources}, source)


@pytest.mark.parametrize(
    "source",
    [
        "![x](https://elsewhere.invalid/x.png)",
        "![x](http://elsewhere.invalid/x.png)",
        "![x](//elsewhere.invalid/x.png)",
        "![x](elsewhere.png)",
        '<img src="https://elsewhere.invalid/x.png" alt="x">',
        '<img alt="x" srcset="https://elsewhere.invalid/x.png 2x">',
        '<img alt="x" src="data:image/svg+xml;base64,elsewhere">',
        '<img alt="x" src=" https://elsewhere.invalid/x.png">',
        '<video poster="https://elsewhere.invalid/x.png">x</video>',
        '<table background="https://elsewhere.invalid/x.png"><tr><td>x</td></tr></table>',
        '<div style="background: url(https://elsewhere.invalid/x.png)">x</div>',
        "<style>p { background: url(https://elsewhere.invalid/x.png) }</style>x",
    ],
)
def test_a_picture_from_elsewhere_is_not_fetched(source):
    assert "x" in page(source)
    tags = [part.split(">")[0] for part in page(source).split("<")[1:]]
    assert not any("elsewhere" in tag for tag in tags)


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp"])
def test_a_picture_in_the_notebook_is_shown(kind):
    data = f"data:image/{kind};base64,{picture(kind)}"
    assert f'src="{data}"' in page(f"![a cat]({data})")
    attached = page("![a cat](attachment:cat.png)", attachments={"cat.png": {f"image/{kind}": picture(kind)}})
    assert f'src="{data}"' in attached and 'alt="a cat"' in attached


def test_a_picture_keeps_its_width_and_nothing_that_acts():
    shown = page(f'<img src="{PIXEL}" width="30" title="t" alt="a" onload="evil()" id="i" class="c" name="n">')
    assert shown.strip() == f'<img src="{PIXEL}" width="30" title="t" alt="a">'


@pytest.mark.parametrize("link", ["https://x.org/a", "http://x.org/a", "mailto:a@x.org", "#part", "HTTPS://x.org"])
def test_a_link_to_a_page_stays(link):
    shown = page(f'<a href="{link}" title="t" target="_top" onclick="evil()">x</a>')
    assert shown.strip() == f'<p><a href="{link}" title="t">x</a></p>'


@pytest.mark.parametrize("link", ["javascript:evil()", "data:text/html,x", "file:///etc/passwd", "/tree", "../x.html"])
def test_another_link_leads_nowhere(link):
    assert page(f'<a href="{link}">x</a>').strip() == "<p><a>x</a></p>"


def test_formulas_tables_and_lists_are_markdown_as_ever():
    shown = page("# Head\n\n- one\n\n|a|b|\n|-|-|\n|1|2|\n\n$x < y$ and **bold** `code`")
    for part in (
        ">Head",
        "<li>one</li>",
        "<td>1</td>",
        "<mi>x</mi><mo>&lt;</mo><mi>y</mi>",
        "<strong>bold</strong>",
        "<code>code</code>",
    ):
        assert part in shown
    assert "<h1>" in shown  # without an id, which could stand for a form's


def test_what_would_run_is_text_or_gone():
    shown = page("<script>evil()</script><form><button>x</button></form><iframe src=x></iframe>")
    assert not any(f"<{tag}" in shown for tag in ("script", "form", "button", "iframe"))
    assert "evil()" in shown and "x" in shown  # who grades reads what was written


HARMLESS = (
    *("a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt", "em", "h1", "h2", "h3"),
    *("h4", "h5", "h6", "hr", "i", "img", "kbd", "li", "ol", "p", "pre", "s", "span", "strong", "sub", "summary"),
    *("sup", "table", "u", "ul"),
)
MORE = ("base", "button", "embed", "form", "iframe", "input", "link", "meta", "object", "script", "style", "svg")


@pytest.mark.parametrize("tag", HARMLESS)
def test_a_tag_that_only_arranges_text_stays(tag):
    assert ('<img alt="">' if tag == "img" else f"<{tag}>") in page(f"<{tag}>x")


@pytest.mark.parametrize("tag", MORE)
def test_a_tag_that_does_more_goes(tag):
    assert f"<{tag}" not in page(f"<{tag}>x")


def test_code_in_a_sentence_is_code_and_nothing_in_it_runs():
    assert (
        pages.code_as_code("`x < y` is <b>, a single ` stays") == "<code>x &lt; y</code> is &lt;b&gt;, a single ` stays"
    )


def test_a_table_stays_whole():
    table = "<table><thead><tr><th>1</th></tr></thead><tbody><tr><td>2</td></tr></tbody></table>"
    assert page(table).strip() == table


@pytest.mark.parametrize(
    ("width", "height", "shown"), [(2000, 5000, True), (2000, 5001, False), (30_000, 30_000, False)]
)
def test_a_picture_of_a_text_has_ten_million_pixels_and_no_more(width, height, shown):
    attachments = {"cat.png": {"image/png": picture("png", width, height)}}
    assert ("src=" in page("![a cat](attachment:cat.png)", attachments=attachments)) is shown


def test_the_pictures_of_a_pages_texts_have_sixty_million_pixels_and_no_more():
    resources, attachments = {}, {"cat.png": {"image/png": picture("png", 2000, 5000)}}
    shown = [page("![a cat](attachment:cat.png)", resources, attachments=attachments) for _ in range(8)]
    assert ["src=" in one for one in shown] == [True] * 6 + [False] * 2
    assert all('alt="a cat"' in one for one in shown)  # what it is called stays
    assert "src=" in page("![a cat](attachment:cat.png)", {}, attachments=attachments)  # another page


def test_all_frames_of_a_picture_count():
    made = io.BytesIO()
    frames = [Image.new("L", (1000, 1000), shade) for shade in range(12)]
    frames[0].save(made, "png", save_all=True, append_images=frames[1:])
    data = base64.b64encode(made.getvalue()).decode()
    assert pages.pixels_of(data) == 12_000_000
    assert "src=" not in page(f"![x](data:image/png;base64,{data})")


def test_what_is_no_picture_is_not_shown():
    header = struct.pack(">I", 13) + b"IHDR" + struct.pack(">IIBBBBB", 2**31 - 1, 2**31 - 1, 8, 0, 0, 0, 0)
    bomb = b"\x89PNG\r\n\x1a\n" + header + struct.pack(">I", zlib.crc32(header[4:]))
    for data in (b"", b"<svg>", b"\x89PNG\r\n\x1a\n", bomb):
        assert "src=" not in page(f"![x](data:image/png;base64,{base64.b64encode(data).decode()})")


def test_markdown_without_end_is_shown_as_it_is_written():
    """Each of these takes the renderer seconds or minutes; as text, no time."""
    for source in (r"\begin{a}" * 51, "<div>" * 4001, "> " * 10_001):
        assert page(source).startswith("<pre>") and page(source).count("&lt;div&gt;") == source.count("<div>")
    assert page(r"\begin{a}" * 50).startswith("<p>") and "<blockquote>" in page("> " * 5000 + "x")


def test_a_page_has_only_so_many_letters_of_markdown():
    resources = {}
    shown = [page("**x** " * 3000, resources) for _ in range(13)]
    assert [one.startswith("<pre>") for one in shown] == [False] * 11 + [True] * 2


def test_a_text_is_rendered_once_for_a_class_and_a_picture_for_each_page(monkeypatch):
    rendered, render = [], pages.MarkdownWithMath.render
    monkeypatch.setattr(pages, "_rendered", {})
    monkeypatch.setattr(
        pages.MarkdownWithMath, "render", lambda self, text: rendered.append(text) or render(self, text)
    )
    assert page("**a** $x$") == page("**a** $x$") and rendered == ["**a** $x$"]
    attachments = {"cat.png": {"image/png": picture()}}
    assert "src=" not in page("![x](attachment:cat.png)")
    assert "src=" in page("![x](attachment:cat.png)", attachments=attachments)
    assert "src=" not in page("![x](attachment:cat.png)")


def test_markdown_that_cannot_be_rendered_is_shown_as_it_is_written(monkeypatch):
    def fail(self, source):
        raise RecursionError("too deep")

    monkeypatch.setattr(pages.MarkdownWithMath, "render", fail)
    assert page("**a** <b>") == "<pre>**a** &lt;b&gt;</pre>"


def test_nothing_of_a_page_is_kept_once_it_is_written():
    # A watcher writes hundreds; what the cleaner keeps alive is not Python's, so a circle through it stays for ever.
    class Pictures(pages.Pictures):
        pass

    kept = []

    def made() -> Pictures:
        kept.append(weakref.ref(pictures := Pictures()))
        return pictures

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "Pictures", made)
        one = pages.Page()
    kept.append(weakref.ref(one))
    assert "x" in one.rendered("<b>x</b>", {})
    del one
    gc.collect()
    assert [reference() for reference in kept] == [None, None]
