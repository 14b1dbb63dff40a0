"""Records of one paper whose title changed between versions: same people, nearly the same words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from kg.model import Paper
from kg.records.compare import title_key
from kg.records.evidence import Pair, ids_differ, same_abstract, venues_differ
from kg.records.keys import Keys
from kg.records.words import STOP, coined, words

_MOST = 40
_TELLING = re.compile(
    r"(?i)\+|\*|\d|\b(?:ii|iii|iv|v|part|extended|journal|revisited|v2|reply|comment|erratum|correction)\b"
)


def by_changed_title(papers: Sequence[Paper], keys: Sequence[Keys]) -> Iterator[Pair]:
    """Pairs with the same author list and similar titles, where nothing tells that they are two papers.

    The abstracts agree, or one is missing and the titles differ in a word or two. Numbers, `+`, part and
    series words, and different coined names keep papers apart.
    """
    groups: dict[int, list[int]] = defaultdict(list)
    for i, key in enumerate(keys):
        if key.people:
            groups[key.people].append(i)
    for members in groups.values():
        if not 1 < len(members) <= _MOST:
            continue
        for n, a in enumerate(members):
            for b in members[n + 1 :]:
                if _one_paper(papers[a], papers[b]):
                    yield Pair(a, b, "authors and a changed title")


def _one_paper(a: Paper, b: Paper) -> bool:
    if title_key(a.title) == title_key(b.title) or ids_differ(a, b) or venues_differ(a, b):
        return False
    alike = same_abstract(a.abstract, b.abstract)
    if alike is False:
        return False
    if alike:
        return True
    if sorted(_TELLING.findall(a.title.lower())) != sorted(_TELLING.findall(b.title.lower())):
        return False
    if coined(a.title).casefold() != coined(b.title).casefold():
        return False
    first, second = set(words(a.title)) - STOP, set(words(b.title)) - STOP
    both = len(first & second)
    return both >= 4 and len(first | second) - both <= 2
