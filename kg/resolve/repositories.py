"""Repositories: links of different papers and spellings that lead to one place."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from msgspec import Struct

from kg.extract.repositories import canonical
from kg.model import Repository

# Host forms that lead to another: a raw file, an archive or a page view of the same repository.
_SAME_HOST = {
    "raw.githubusercontent.com": "github.com",
    "raw.github.com": "github.com",
    "codeload.github.com": "github.com",
    "m.github.com": "github.com",
    "hf.co": "huggingface.co",
    "hf-mirror.com": "huggingface.co",
    "gitlab.io": "gitlab.com",
    "bitbucket.com": "bitbucket.org",
}
_FLAT = ("github.com", "gitee.com", "bitbucket.org", "codeberg.org")  # owner/name, and nothing below is a repository
_HUB_PAGES = ("tree", "blob", "resolve", "raw", "discussions", "commit", "viewer")


class RepositoryEntity(Struct):
    """One repository of the graph.

    Attributes:
        key: "github.com/owner/name"; url: canonical address; kind: see `kg.model.RepositoryKind`.
        spellings: the forms printed in texts or stated by sources, sorted.
    """

    key: str
    url: str
    kind: str
    spellings: tuple[str, ...] = ()


class Repositories(Struct):
    """The outcome: key -> entity, and (paper key, index in the extraction's list) -> key."""

    entities: dict[str, RepositoryEntity]
    of: dict[tuple[str, int], str]


def resolve_repositories(found: Iterable[tuple[str, tuple[Repository, ...]]]) -> Repositories:
    """Groups links by their address without scheme, `www.` and letter case.

    A repository that several papers name stays one node and joins no papers: a monorepo holds the
    code of unrelated work.
    """
    groups: dict[str, list[tuple[str, int, Repository]]] = defaultdict(list)
    for paper, repositories in found:
        for i, repository in enumerate(repositories):
            groups[key_of(repository.url)].append((paper, i, repository))
    entities, of = {}, {}
    for address in sorted(groups):
        members = sorted(groups[address], key=lambda m: (m[0], m[1]))
        urls = Counter(f"https://{address_of(r.url)}" for _, _, r in members)
        url = min(urls, key=lambda u: (-urls[u], u))
        kinds = Counter(r.kind for _, _, r in members)
        key = address_of(url)
        spellings = tuple(sorted({r.as_printed for _, _, r in members}))
        entities[key] = RepositoryEntity(key, url, min(kinds, key=lambda k: (-kinds[k], k)), spellings)
        of.update({(paper, i): key for paper, i, _ in members})
    return Repositories(entities, of)


def key_of(url: str) -> str:
    """What two addresses of one repository share: no scheme, no `www.`, no letter case, no page inside it.

    >>> key_of("http://www.GitHub.com/Ada/Engine.git") == key_of("github.com/ada/engine/tree/main")
    True
    """
    return address_of(url).casefold()


def address_of(url: str) -> str:
    """The canonical address without its scheme, case kept; see `key_of`."""
    host, _, path = canonical(url).removeprefix("https://").partition("/")
    host = _SAME_HOST.get(host, host)
    parts = [p for p in path.split("?")[0].split("/") if p] if host in (*_FLAT, "huggingface.co") else path.split("/")
    if host in _FLAT and len(parts) >= 2:
        parts = [parts[0], parts[1].removesuffix(".git") or parts[1]]
    elif host == "huggingface.co":
        start = 3 if parts[:1] in (["datasets"], ["spaces"]) else 2
        stop = next((i for i, part in enumerate(parts) if i >= start and part in _HUB_PAGES), len(parts))
        parts = parts[:stop]
    elif host.endswith((".github.io", ".gitlab.io")) and parts[-1:] == ["index.html"]:
        parts = parts[:-1]
    return "/".join([host, *parts]).rstrip("/")
