"""A site that was built, looked at as a browser would: no broken link, nothing from another host, nothing private."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from autograder.common.errors import BuildError
from autograder.site import private

# Attributes by which a page loads something, and the elements whose `href` does.
LOADS = ("src", "srcset", "data", "poster", "action")
LOADING_LINKS = ("stylesheet", "icon", "shortcut icon", "preload", "prefetch", "preconnect", "modulepreload")
IN_STYLES = re.compile(r"url\(\s*[\"']?([^\"')]+)|@import\s+[\"']([^\"']+)")
SHOWN = 8  # complaints in the error's sentence


@dataclass
class Page(HTMLParser):
    """What a page refers to."""

    path: Path
    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    without_words: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.anchors |= {named[name] for name in ("id", "name") if name in named}
        self.loads += [named[name] for name in LOADS if name in named and not (tag == "form" and name == "data")]
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        if tag == "link":
            kept = self.loads if named.get("rel", "") in LOADING_LINKS else self.links
            kept.append(named.get("href", ""))
        if tag == "img" and not named.get("alt", "").strip():
            self.without_words.append(named.get("src", ""))
        self.loads += _in_styles(named.get("style", ""))

    def handle_data(self, data: str) -> None:
        if self.lasttag == "style":
            self.loads += _in_styles(data)


def _in_styles(text: str) -> list[str]:
    return [found for pair in IN_STYLES.findall(text) for found in pair if found]


def inspect(folder: Path) -> list[str]:
    """Look at a site; return the addresses elsewhere that its pages link to.

    Raises: BuildError, naming the pages and what is wrong with them.
    """
    pages = {path.resolve(): Page(path) for path in sorted(folder.rglob("*.html"))}
    complaints: list[str] = []
    elsewhere: set[str] = set()
    for page in pages.values():
        name = page.path.relative_to(folder)
        for target in page.links:
            if urlsplit(target).scheme in ("http", "https"):
                elsewhere.add(target)
            elif trouble := _broken(target, page, pages):
                complaints.append(f"{name} links to {target}, {trouble}")
        for target in page.loads:
            if foreign(target):
                complaints.append(f"{name} loads {target} from elsewhere")
            elif trouble := _broken(target, page, pages):
                complaints.append(f"{name} loads {target}, {trouble}")
        complaints += [f"{name} shows {target[:60]} without words for it" for target in page.without_words]
    for style in folder.rglob("*.css"):
        for target in _in_styles(style.read_text(encoding="utf-8")):
            if foreign(target):
                complaints.append(f"{style.relative_to(folder)} loads {target} from elsewhere")
    complaints += private.found_in(folder)
    if complaints:
        more = f"; and {len(complaints) - SHOWN} more" if len(complaints) > SHOWN else ""
        raise BuildError(f"The site cannot be handed out: {'; '.join(complaints[:SHOWN])}{more}.")
    return sorted(elsewhere)


def foreign(target: str) -> bool:
    """Return whether a browser would ask another host for it."""
    return bool(urlsplit(target).netloc) or urlsplit(target).scheme not in ("", "data")


def _broken(target: str, page: Page, pages: dict[Path, Page]) -> str:
    """Return what is wrong with an address in the site, "" where nothing is."""
    parts = urlsplit(target)
    if parts.scheme:
        return "" if parts.scheme in ("data", "mailto") else "which is no page of the site"
    if target.startswith("/"):
        return "which is right at one place of one server alone"
    there = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path.resolve()
    if not there.is_file():
        return "which is not there"
    if parts.fragment and there in pages and unquote(parts.fragment) not in pages[there].anchors:
        return "which has no such heading"
    return ""
