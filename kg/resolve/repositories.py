"""Repositories: links of different papers and spellings that lead to one place."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from msgspec import Struct

from kg.model import Repository


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
            groups[_address(repository.url).lower()].append((paper, i, repository))
    entities, of = {}, {}
    for address in sorted(groups):
        members = sorted(groups[address], key=lambda m: (m[0], m[1]))
        urls = Counter(r.url for _, _, r in members)
        url = min(urls, key=lambda u: (-urls[u], u))
        kinds = Counter(r.kind for _, _, r in members)
        key = _address(url)
        spellings = tuple(sorted({r.as_printed for _, _, r in members}))
        entities[key] = RepositoryEntity(key, url, min(kinds, key=lambda k: (-kinds[k], k)), spellings)
        of.update({(paper, i): key for paper, i, _ in members})
    return Repositories(entities, of)


def _address(url: str) -> str:
    bare = url.split("://", 1)[-1].removeprefix("www.")
    return bare.rstrip("/")
