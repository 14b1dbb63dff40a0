"""Markdown lists of papers: headings or bullets with title, link, authors and abstract."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from kg.model import Paper, Rejected
from kg.sources import fields
from kg.sources.base import located
from kg.sources.part import Part
from kg.sources.textunits import is_names

_LINK = re.compile(r"\[(?P<text>(?:[^\[\]]|\[[^\]]*\])+)\]\((?P<url>[^()\s]+(?:\([^()\s]*\)[^()\s]*)?)[^)]*\)")
_BADGE = re.compile(r"\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?")
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
_BULLET = re.compile(r"^(\s*)(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s*)?(.*)$")
_MARKED = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s*)?(?:\*\*|__|\[[^\]]+\]\(|\*\[)\S")
_LABEL = re.compile(
    r"(?i)^\W*(authors?|abstract|summary|venue|conference|keywords?|tl;?dr|code|paper|project(?: page)?|year)\W*[:：]\W*\s*"
)
_EMPHASIS = re.compile(r"(\*\*\*|\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_WORDS_LINK = re.compile(r"(?i)^\W*(?:paper|pdf|code|arxiv|abs|html|project|page|website|github|slides|video|poster|data|dataset|demo|blog|"
                         r"openreview|link|bib|bibtex|doi|url|supp\w*|model|talk|home\w*|official)(?:\s+\w+)?\W*$")  # fmt: skip
_VENUE_LAST = re.compile(
    r"(?s)(.+?)[\s,;.(\[]+((?:[A-Z][\w&-]*[A-Z][\w-]*|arXiv|Nature|Science)[\s',]*(?:19|20)\d\d)[\])]?\W*$"
)
_DETAILS = re.compile(r"</?(?:details|summary|br|p|div|b|i|em|strong)\s*/?>", re.I)


@dataclass
class _Entry:
    line: int
    title: str = ""
    heading: tuple[str, ...] = ()
    names: str = ""
    venue: str = ""
    keywords: str = ""
    text: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)


class Markdown:
    """A title is a linked or bold start of a bullet, or a heading with text below; headings above are topics."""

    key = "markdown"
    title = "Markdown list of papers"
    suffixes = (".md", ".markdown")

    def sniff(self, part: Part) -> float:
        if part.binary or part.head.lstrip()[:1] in (b"{", b"<", b"@"):
            return 0.0
        lines = part.text.splitlines()[:2000]
        marked = sum(bool(_HEADING.match(line) or _MARKED.match(line)) for line in lines)
        if marked < 2 and part.suffix not in self.suffixes:
            return 0.0
        found = [e for e in _entries(lines) if _is_paper(e)]
        return 0.5 if found else 0.0

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        for entry in _entries(part.lines()):
            if _is_paper(entry):
                yield located(_paper(entry), part, f"line {entry.line}", self)


def _entries(lines: Iterator[str] | list[str]) -> Iterator[_Entry]:
    """Entries in order; whether one is a paper shows only at its end."""
    above: list[str] = []  # titles of the open headings, outermost first
    entry: _Entry | None = None
    for number, line in enumerate(lines, 1):
        if found := _HEADING.match(line):
            if entry:
                yield entry
            depth, title = len(found[1]), found[2]
            above = [*above[: depth - 1], *[""] * (depth - 1 - len(above))]
            entry = _started(title, number, tuple(p for p in above[1:] if p))
            above.append(_bare(title))
            continue
        bullet = _BULLET.match(line)
        if bullet and (not bullet[1] or entry is None) and not _LABEL.match(bullet[2]) and _opens(bullet[2]):
            if entry:
                yield entry
            entry = _started(bullet[2], number, tuple(p for p in above[1:] if p))
        elif entry and line.strip():
            _add(entry, bullet[2] if bullet else line.strip())
    if entry:
        yield entry


def _opens(text: str) -> bool:
    """True when a bullet begins with what can be a title."""
    return bool(_LINK.match(text) or re.match(r"(?:\*\*|__)\S", text) or len(text.split()) >= 4)


def _started(text: str, line: int, heading: tuple[str, ...]) -> _Entry:
    entry = _Entry(line=line, heading=heading)
    text = _BADGE.sub("", text).strip()
    link, bold = _LINK.search(text), re.match(r"(?:\*\*|__)(.+?)(?:\*\*|__)", text)
    if bold and not (link and link.start() < bold.end()):
        entry.title, rest = _bare(bold[1]), text[bold.end() :]
    elif link and not _WORDS_LINK.match(link["text"]) and not text[: link.start()].strip("*_ \"'`"):
        entry.title, rest = _bare(link["text"]), text[: link.start()] + text[link.end() :]
        entry.links.append(("paper", link["url"]))
    elif bold:
        inner = _LINK.search(bold[1])
        entry.title, rest = _bare(bold[1]), text[bold.end() :]
        if inner:
            entry.links.append(("paper", inner["url"]))
    else:
        cut = link.start() if link else len(text)
        entry.title, rest = _bare(text[:cut]).rstrip(" -–—:|,.(["), text[cut:]
    _add(entry, rest)
    return entry


def _add(entry: _Entry, text: str) -> None:
    """One more line of an entry: authors, venue, links or abstract."""
    text = _DETAILS.sub(" ", _BADGE.sub("", text))
    for link in _LINK.finditer(text):
        entry.links.append((_bare(link["text"]).lower(), link["url"]))
    entry.links += [("", u) for u in re.findall(r"(?<![(\[<])https?://[^\s)>\]]+", _LINK.sub("", text))]
    plain = _bare(_LINK.sub(lambda m: "" if _WORDS_LINK.match(m["text"]) else m["text"], text))
    plain = re.sub(r"(?:\[\s*\]|\(\s*\)|<https?://[^>]+>|https?://\S+)", "", plain).strip(
        " \t-–—|,;:·.([])" if len(plain) < 80 else " \t-–—|,;:"
    )
    label = _LABEL.match(plain)
    if label:
        name, value = label[1].lower(), plain[label.end() :].strip()
        if name.startswith("author"):
            entry.names = value
        elif name in ("abstract", "summary"):
            entry.text.append(value)
        elif name in ("venue", "conference"):
            entry.venue = value
        elif name.startswith("keyword"):
            entry.keywords = value
        return
    if not plain:
        return
    if not entry.names and not entry.text:
        if found := _VENUE_LAST.match(plain):
            entry.venue, plain = found[2], found[1].strip(" ,;(")
        head, _, rest = plain.partition(". ")
        if is_names(plain) or _one_name(plain):
            entry.names = plain
            return
        if rest and is_names(head):
            entry.names, plain = head, rest
    if re.fullmatch(r"[^\d]{0,40}\b(?:19|20)\d\d\b.{0,20}", plain) and not entry.venue:
        entry.venue = plain
    else:
        entry.text.append(plain)


def _one_name(text: str) -> bool:
    return 2 <= len(text.split()) <= 4 and len(text) < 50 and is_names(f"{text}, {text}")


def _bare(text: str) -> str:
    """Text without Markdown's emphasis, links and code marks."""
    text = _LINK.sub(lambda m: m["text"], text)
    for _ in range(2):
        text = _EMPHASIS.sub(lambda m: m[2], text)
    return re.sub(r"\\([*_\[\]()#`<>~-])", r"\1", text.replace("`", "")).strip()


def _is_paper(entry: _Entry) -> bool:
    body = " ".join(entry.text)
    telling = bool(entry.names) or len(body.split()) >= 25
    linked = any(fields.ids_in(u) or kind == "paper" for kind, u in entry.links)
    return len(entry.title.split()) >= 2 and (telling or linked and len(entry.title.split()) >= 3)


def _paper(entry: _Entry) -> Paper:
    body = "\n".join(entry.text)
    venue, year, event = fields.venue(entry.venue)
    urls = [u for _, u in entry.links]
    code = [
        u
        for kind, u in entry.links
        if "code" in kind or re.search(r"github\.com/[^/]+/[^/]+|gitlab\.com/|huggingface\.co/", u)
    ]
    page = [u for kind, u in entry.links if kind.startswith(("project", "page", "website"))]
    paper = next((u for k, u in entry.links if u.startswith("http") and u not in code and u not in page), "")
    return Paper(
        ids=fields.ids_in(*urls),
        title=entry.title,
        abstract=body if len(body.split()) >= 15 else "",
        authors=fields.authors(entry.names) if entry.names else (),
        venue=venue,
        year=year,
        event=event,
        topics=(entry.heading,) if entry.heading else (),
        keywords=fields.strings(entry.keywords or None),
        links=fields.links(code, "code") + fields.links(page, "project-page"),
        url=paper,
    )


FORMAT = Markdown()
