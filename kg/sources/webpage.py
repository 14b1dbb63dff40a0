"""A saved web page: its visible text, read as the list it holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO

from kg.errors import SourceError
from kg.model import Paper, Rejected
from kg.sources.part import Part
from kg.sources.table import FORMATS

_PAGE = re.compile(rb"(?is)^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b")
_HIDDEN = {"script", "style", "noscript", "template", "head", "nav", "footer", "select", "button", "form", "svg"}
_PARAGRAPH = {
    "p",
    "li",
    "ul",
    "ol",
    "dl",
    "dt",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "article",
    "section",
    "table",
    "hr",
}
_LINE = {"div", "br", "tr", "dd", "blockquote", "header", "main", "summary", "details"}
_READERS = ("csv", "references", "titles", "text")
_LARGEST = 64 << 20  # a page is read whole


class WebPage:
    """Lists, tables and paragraphs of a page become lines; menus, scripts and forms are left out."""

    key = "html"
    title = "saved web page (HTML)"
    suffixes = (".html", ".htm", ".xhtml")

    def sniff(self, part: Part) -> float:
        return 0.9 if _PAGE.match(part.head) else 0.0

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        data = part.read(_LARGEST)
        while len(data) < _LARGEST and (more := part.read(1 << 20)):
            data += more
        if len(data) >= _LARGEST:
            raise SourceError("the page is larger than 64 MB", place=part.name, hint="split it, or save it as text")
        for table in tables(data.decode("utf-8", "replace")):
            text = Part(part.name, BytesIO(table.encode()))
            score, form = max(((FORMATS[k].sniff(text), FORMATS[k]) for k in _READERS), key=lambda s: s[0])
            if score > 0:
                yield from form.read(text)
                return
        raise SourceError(
            "the page shows no list of papers", place=part.name, hint="copy the list into a text file, or save its data"
        )


def tables(page: str) -> list[str]:
    """Texts the page may mean: its tables, tab-separated, then everything it shows."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    found = ["\n".join(t) for t in reader.tables if len(t) > 1]
    return [*found, re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]*\n[ \t]*", "\n", "".join(reader.text)))]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self.tables: list[list[str]] = []
        self._hidden = 0
        self._cells: list[str] | None = None
        self._open: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag == "table":
            self._open.append([])
        elif tag == "tr" and self._open:
            self._cells = []
        elif tag in ("td", "th") and self._cells is not None:
            self._cells.append("")
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag == "tr" and self._cells is not None and self._open:
            self._open[-1].append("\t".join(" ".join(c.split()) for c in self._cells))
            self._cells = None
        elif tag == "table" and self._open:
            self.tables.append(self._open.pop())
        self._break(tag)

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        plain = re.sub(r"\s+", " ", data)
        if self._cells:
            self._cells[-1] += plain
        self.text.append(plain)

    def _break(self, tag: str) -> None:
        if tag in _PARAGRAPH:
            self.text.append("\n\n")
        elif tag in _LINE:
            self.text.append("\n")
            if self._cells and tag == "br":
                self._cells[-1] += ", "


FORMAT = WebPage()
