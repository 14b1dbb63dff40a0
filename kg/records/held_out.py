"""Which papers of the corpora train what, and which nothing is fitted on.

Of the conference papers most train the word vectors, 4,500 since 2018 (fewer of them on robots and
pictures) train the networks that weigh the clues, and 3,500 like them are left to measure with. Of ICLR 2026, 2,000 papers
are left to measure with, the others train the networks only. What is also in the list of ICML 2025 titles or in the
seeds is in none of them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from kg import sources
from kg.model import Paper
from kg.records.compare import abstract_key, title_key

LEAST = 200  # letters an abstract must have
_SINCE = 2018
_FIT, _TEST, _HIDDEN = 4500, 3500, 2000
_OTHER_FIELDS = frozenset(["IROS", "ICRA", "RSS", "CORL", "ECCV", "WACV", "CVPR", "ICCV", "3DV"])
_SHARE = 0.35  # of papers on robots and pictures that are taken beside those on learning and language


class Split(NamedTuple):
    """The papers by their use.

    Attributes:
        vectors: conference papers that train the word vectors.
        fit: lists of papers (one of conferences, one of ICLR 2026) that train the networks.
        test: conference papers, left to measure with.
        iclr: all papers of ICLR 2026 that have authors and an abstract.
        hidden: those of `iclr` left to measure with.
    """

    vectors: list[Paper]
    fit: list[list[Paper]]
    test: list[Paper]
    iclr: list[Paper]
    hidden: list[Paper]


def read(data: Path, *names: str) -> list[Paper]:
    """All papers of files below the folder `data`."""
    return [p for p in sources.read([data / n for n in names]) if isinstance(p, Paper)]


def hidden(iclr: Sequence[Paper]) -> tuple[list[Paper], list[Paper]]:
    """The papers of ICLR 2026 that can be joined by their text, and 2,000 of them that nothing is fitted on."""
    full = [p for p in iclr if p.authors and len(p.abstract) >= LEAST]
    return full, random.Random(2026).sample(full, _HIDDEN)


def split(data: Path) -> Split:
    """The papers of the corpora in the folder `data`, by their use."""
    iclr, left = hidden(read(data, "corpus/iclr2026.jsonl.gz"))
    elsewhere = [*iclr, *read(data, "corpus/icml2025_titles_authors.json", "seeds")]
    titles = {title_key(p.title) for p in elsewhere}
    abstracts = {abstract_key(p.abstract)[:80] for p in elsewhere} - {""}
    papers: list[Paper] = []
    for paper in read(data, "corpus/conferences.jsonl.gz"):
        title, abstract = title_key(paper.title), abstract_key(paper.abstract)
        if len(paper.abstract) < LEAST or not title or title in titles or abstract[:80] in abstracts:
            continue
        titles.add(title)  # the first of several with one title or one beginning
        abstracts.add(abstract[:80])
        papers.append(paper)
    draw = random.Random(7)
    draw.shuffle(papers)
    taken: set[int] = set()
    for i, paper in enumerate(papers):
        if len(taken) == _FIT + _TEST:
            break
        if (paper.year or 0) >= _SINCE and (paper.venue not in _OTHER_FIELDS or draw.random() < _SHARE):
            taken.add(i)
    chosen = [papers[i] for i in sorted(taken)]
    away = {p.title for p in left}
    return Split(
        vectors=[p for i, p in enumerate(papers) if i not in taken],
        fit=[chosen[:_FIT], [p for p in iclr if p.title not in away]],
        test=chosen[_FIT:],
        iclr=iclr,
        hidden=left,
    )
