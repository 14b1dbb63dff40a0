"""Links to code, data, models and project pages, repaired and in canonical form.

Repairs are made only where they cannot be wrong: blanks inside the address (`https: //github. com/x`),
escaped underscores and tildes, doubled Markdown links, trailing punctuation, a missing scheme.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kg.model import Link, Mention, Repository, RepositoryKind

_HOSTS = (
    r"github|gitlab|gitee|bitbucket|codeberg|huggingface|zenodo|figshare|kaggle|anonymous\s?\.\s?4open|sourceforge"
    r"|sites\s?\.\s?google|osf|hf"
)
_TLD = r"com|io|co|org|net|science|ai|edu|gov|de|uk|cc|me|ly|gl|ms|app|dev|page|site|info|xyz|eu|ch|fr|cn|jp|ca|it"
_PATH = r"[^\s<>\"|^`“”]"
# An address as it may be printed: blanks where scrapers put them, with or without a scheme.
_PRINTED = (
    rf"https?\s{{0,2}}:\s{{0,2}}/\s?/\s?(?:[\w-]+\.)*(?:[\w-]+\s?\.\s?(?:{_TLD})\s?(?=/))?{_PATH}*[^\s<>\"|^`“”.,;:)]"
    rf"|(?<![\w@./-])www\.[a-z0-9-]+\.{_PATH}+"
    rf"|(?<![\w@./-])(?:[\w-]+\.)*(?:{_HOSTS})\s?\.\s?(?:com|io|co|org|science)\s?/(?:{_PATH}+|\s(?=[\w-]+/[\w.-]+))"
    rf"|(?<![\w@./-])(?:bit\.ly|aka\.ms|git\.io|goo\.gl|tinyurl\.com)/\w{_PATH}*"
    rf"|(?<![\w@./-])[a-z0-9][\w-]*\.github\.io(?:/{_PATH}*)?"
)
_ADDRESS = re.compile(_PRINTED, re.IGNORECASE)
# No address is without one of these, and plain searches are much quicker than the expression.
_SIGNS = (
    "http", "www.", "github", "gitlab", "gitee", "bitbucket", "codeberg", "huggingface", "hf.co", "zenodo", "figshare",
    "kaggle", "4open", "sourceforge", "google", "osf", "bit.ly", "aka.ms", "git.io", "goo.gl", "tinyurl",
)  # fmt: skip
# What a forge's address may go on with after a blank: "github.com/ owner/name", "github.com/owner/ name".
_GOES_ON = re.compile(r"\s([\w.-]+(?:-\s[\w.-]+)?/[\w.-]+)")
_GOES_ON_NAME = re.compile(r"\s([A-Za-z][\w-]*[\w])(?=[\s.,;)]*$|[.,;)]\s)")
_TILDE = re.compile(r"\\textasciitilde\s?(?:\{\})?|\\~(?:\{\})?|\$\\sim\$|~\{\}")
_TRAIL = ".,;:!?'’\"”*_}\\"
_FORGES = ("github.com", "gitlab.com", "gitee.com", "bitbucket.org", "codeberg.org")
_NOT_REPOSITORY = re.compile(
    r"^(?:[\w-]+\.)*(?:arxiv\.org|doi\.org|openreview\.net|aclanthology\.org|aclweb\.org|youtu\.be|youtube\.com|vimeo\.com"
    r"|wikipedia\.org|twitter\.com|x\.com|creativecommons\.org|acm\.org|ieee\.org|springer\.com|semanticscholar\.org"
    r"|proceedings\.mlr\.press|neurips\.cc|orcid\.org)(?:/|$)|^huggingface\.co/papers/|\.pdf$|\.mp4$|\.mov$"
)
_SHORTENER = re.compile(r"^(?:bit\.ly|aka\.ms|git\.io|goo\.gl|tinyurl\.com|tiny\.cc|t\.co|rebrand\.ly|rb\.gy|is\.gd)/")
_ELSEWHERE = re.compile(
    r"awesome|survey of|list of papers|paper list|curated list|based on (?:the )?(?:code|implementation|repository|official)"
    r"|implementation (?:of|by)\s+\[|borrow|adapted from|built (?:up)?on (?:the )?(?:code|implementation|top of)"
    r"|official (?:code|implementation|repository) of|provided by|competition|hosted (?:on|at)|third[- ]party",
    re.IGNORECASE,
)
_OURS = re.compile(
    r"\bour\b|\bwe\b|available|releas|source code|\bcode\b|project|websit|web page|webpage|demo|open[- ]?sourc|data"
    r"|found (?:at|in|here)|accessible|visit|supplementary|implementation|checkpoint|\bhere\b|video",
    re.IGNORECASE,
)


class _Found(NamedTuple):
    start: int
    end: int
    printed: str
    url: str


def canonical(printed: str) -> str:
    """Canonical address: `https`, lower-case host, forge links cut to host/owner/name, no `.git`.

    Case is kept in the path as printed (compare with `casefold`); tree, blob and query parts of a forge
    link are dropped, those of other addresses kept.

    >>> canonical("http://www.GitHub.com/Owner/Name.git/")
    'https://github.com/Owner/Name'
    """
    text = _TILDE.sub("~", printed).replace("\\_", "_").replace("\\%", "%").replace("\\#", "#").replace("\\&", "&")
    text = re.sub(r"\s+", "", text).replace("\\", "")
    text = re.sub(r"^https?:/*", "", text, flags=re.IGNORECASE)
    host, _, path = text.partition("/")
    host = host.lower().removeprefix("www.")
    host = "huggingface.co" if host == "hf.co" else host
    path = path.split("#")[0] if host in _FORGES else path
    parts = [p for p in path.split("/") if p]
    if host in _FORGES and len(parts) >= 2:
        keep = len(parts) if host == "gitlab.com" else 2
        for stop in ("-", "tree", "blob", "raw", "wiki", "issues", "releases"):
            if stop in parts[2:]:
                keep = min(keep, parts.index(stop, 2))
        parts = parts[:keep]
        parts[-1] = re.sub(r"\?.*$", "", parts[-1])
        parts[-1] = re.sub(r"(?:\.git)+$", "", parts[-1]) or parts[-1]
    return f"https://{host}" + ("/" + "/".join(parts) if parts else "")


def kind_of(url: str, context: str = "") -> RepositoryKind:
    """What a canonical address leads to; `context` is the text around it, for hosts that serve all."""
    address = url.removeprefix("https://")
    host, _, path = address.partition("/")
    if host == "huggingface.co":
        if path.startswith("datasets/"):
            return "data"
        return "other" if path.startswith(("spaces/", "collections/")) or "/" not in path else "model"
    if host in _FORGES or "gitlab" in host or host.startswith(("anonymous.4open", "anon-github")):
        return "code" if path else "other"
    if host in ("gist.github.com", "sourceforge.net", "code.google.com", "git.io") or host.startswith("git."):
        return "code"
    if (
        host in ("zenodo.org", "figshare.com", "osf.io")
        or "dataverse" in host
        or address.startswith("kaggle.com/datasets")
    ):
        return "data"
    if _SHORTENER.match(address) or host in (
        "drive.google.com",
        "dropbox.com",
        "kaggle.com",
        "colab.research.google.com",
    ):
        return "other"
    return "project-page"


def address_spans(text: str) -> list[tuple[int, int]]:
    """Places of everything that looks like a web address, untrimmed, in order."""
    if "/" not in text and ".io" not in text:
        return []
    low = text.lower()
    if not any(sign in low for sign in _SIGNS):
        return []
    return [m.span() for m in _ADDRESS.finditer(text)]


def find_addresses(text: str) -> list[_Found]:
    """Every web address in `text` in order, repaired, with the place it is printed at."""
    found: list[_Found] = []
    done = 0
    for start, end in address_spans(text):
        if start < done:
            continue
        end = _trim(text, start, end)
        end = _continue(text, start, end)
        printed = text[start:end]
        url = canonical(printed)
        host, _, path = url.removeprefix("https://").partition("/")
        if "." not in host or not re.fullmatch(r"[\w.-]+\.[a-z]{2,}(?::\d+)?", host):
            continue
        found.append(_Found(start, end, printed, url))
        done = end
    return found


def _trim(text: str, start: int, end: int) -> int:
    piece = text[start:end]
    for mark in ("](", "}{", "]", "{", ")[", "),", ").", ">;"):
        cut = piece.find(mark)
        if cut > 8 and piece[cut - 1] != "~":
            piece = piece[:cut]
    while piece and (piece[-1] in _TRAIL or (piece[-1] == ")" and piece.count("(") < piece.count(")"))):
        piece = piece[:-1]
    # "…/name.However, we": a sentence that lost its blank
    glued = re.search(r"(?<=[a-z\d/])\.(?=[A-Z][a-z]+$)", piece)
    if glued and piece.count("/") >= 4:
        piece = piece[: glued.start()]
    return start + len(piece.rstrip())


def _continue(text: str, start: int, end: int) -> int:
    """Go on over one blank where a forge's address is plainly incomplete."""
    address = re.sub(r"\s+|^https?:/*|^www\.", "", text[start:end], flags=re.IGNORECASE)
    host, slash, path = address.partition("/")
    if host.lower() not in _FORGES or not slash:
        return end
    if not path and text[end : end + 1].isspace():
        m = _GOES_ON.match(text, end)
    elif path.endswith("/") and path.count("/") == 1:
        m = _GOES_ON_NAME.match(text, end)
    else:
        return end
    return _trim(text, start, m.end()) if m else end


def _is_own(text: str, found: _Found) -> tuple[bool, float, str]:
    """Does the text present the link as this paper's own? With a confidence and the deciding cue."""
    low = max(text.rfind(". ", 0, found.start) + 1, found.start - 240, 0)
    before = text[low : found.start]
    around = before + " " + text[found.end : found.end + 60].split(". ")[0]
    if "awesome" in found.url.lower():
        return False, 0.95, "a list of papers"
    if m := _ELSEWHERE.search(around):
        if re.search(r"\bour\b", before):
            return True, 0.8, "our … before the link"
        return False, 0.8, m.group().lower()
    if m := _OURS.search(around):
        return True, 0.98, m.group().lower()
    return True, 0.85, "link in the abstract"


def find_repositories(title: str, abstract: str, links: Sequence[Link] = ()) -> tuple[Repository, ...]:
    """Repositories of one paper: those of the text in order, then those only the source states."""
    merged: dict[str, Repository] = {}
    for field, text in (("title", title), ("abstract", abstract)):
        for f in find_addresses(text):
            if _NOT_REPOSITORY.search(f.url.removeprefix("https://").lower()):
                continue
            mention = Mention(field, f.start, f.end, f.printed)  # type: ignore[arg-type]
            same = merged.get(f.url.casefold())
            if same:
                merged[f.url.casefold()] = _with(same, mentions=(*same.mentions, mention))
                continue
            own, confidence, cue = _is_own(text, f)
            merged[f.url.casefold()] = Repository(
                f.url, f.printed, kind_of(f.url), own, "abstract", confidence, cue, (mention,)
            )
    for r in _stated(links):
        k = r.url.casefold()
        same = merged.get(k)
        merged[k] = _with(same, own=True, stated_by="both", confidence=1.0) if same else r
    return tuple(merged.values())


def _stated(links: Iterable[Link]) -> list[Repository]:
    out = []
    for link in links:
        for f in find_addresses(link.url.strip()) or find_addresses("https://" + link.url.strip()):
            if not _NOT_REPOSITORY.search(f.url.removeprefix("https://").lower()):
                kind = _STATED_KINDS.get(link.kind, kind_of(f.url))
                out.append(Repository(f.url, f.printed, kind, True, "source", 1.0, "stated by the source"))
    return out


_STATED_KINDS: dict[str, RepositoryKind] = {"data": "data", "dataset": "data", "model": "model"}


def _with(r: Repository, **changes: object) -> Repository:
    fields = {name: getattr(r, name) for name in r.__struct_fields__}
    return Repository(**{**fields, **changes})  # type: ignore[arg-type]
