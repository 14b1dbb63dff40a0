"""Trains the pair model and counts name parts: `python -m kg.resolve.people.train --data ../shared/data`.

Uses OpenReview profiles as truth (`authors/dev_mentions.json`, and the profiles in the ICLR 2026 list),
a part of the names for fitting and the rest for validation; the profiles themselves are no evidence.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from kg.model import Author, Paper
from kg.resolve.people.affiliations import affiliation_words
from kg.resolve.people.evidence import Evidence
from kg.resolve.people.fit import calibration_error, fit_model
from kg.resolve.people.names import kind_of, words
from kg.resolve.people.rarity import count_parts, save_counts, save_parts
from kg.resolve.people.table import Blocks, Mention, Table

CUT = 0.62
_FITTED_PART = 5  # one name in this many validates
_DATA = Path(__file__).parent / "data"
_LEAST_AFFILIATIONS = 8


def main() -> None:
    """Command line of the training."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with authors/ and corpus/")
    parser.add_argument("--counts", action="store_true", help="also count name parts and affiliation words anew")
    options = parser.parse_args()
    core, truth = read_core(options.data)
    iclr, more = read_iclr(options.data)
    conferences = list(read_lists(options.data / "corpus/conferences.jsonl.gz"))
    if options.counts:
        write_counts([*conferences, *core, *iclr])
    bare = [without_affiliations(p) for p in core]
    worlds = {
        "affiliations": labelled(core, truth),
        "no affiliations": labelled(bare, truth),
        "with ICLR 2026": labelled([*core, *iclr], truth | more),
        "all conferences": labelled(conferences, truth),
    }
    fitted = [pick(world, validation=False) for world in worlds.values()]
    x, y, weight = (np.concatenate([part[i] for part in fitted]) for i in range(3))
    model = fit_model(x, y, weight, CUT)
    model.save(_DATA / "pair_model.json")
    for name, world in worlds.items():
        for validation in (False, True):
            x, y, _ = pick(world, validation)
            p = model.probability(x)
            part = "validation" if validation else "fitted"
            print(f"{name:16} {part:10} pairs {len(y):6} calibration error {calibration_error(y, p):.4f}")


def validates(name: str) -> bool:
    """Whether a comparison form belongs to the validation names."""
    return int(hashlib.sha256(f"validate {name}".encode()).hexdigest(), 16) % _FITTED_PART == 0


def labelled(papers: list[Paper], truth: dict[Mention, str]) -> tuple[np.ndarray, ...]:
    """Features, label, number of labelled pairs in the block, and validation flag of labelled pairs."""
    table = Table(papers)
    blocks = Blocks(table)
    evidence = Evidence(table, blocks)
    persons = {p: i for i, p in enumerate(sorted(set(truth.values())))}
    label = np.array([persons.get(truth.get(table.mention(m), ""), -1) for m in range(len(table))])
    kept = []
    for low, high in blocks.chunks(400_000):
        a, b = blocks.pairs(low, high)
        left, right = blocks.order[a], blocks.order[b]
        use = (label[left] >= 0) & (label[right] >= 0) & (table.paper[left] != table.paper[right])
        if not use.any():
            continue
        name = table.block[left[use]]
        features = evidence.features(low, high)[use]
        kept.append((features, (label[left] == label[right])[use].astype(float), name))
    x, y, name = (np.concatenate([k[i] for k in kept]) for i in range(3))
    held = np.array([validates(k) for k in table.keys])
    return x, y, np.bincount(name)[name], held[name]


def pick(world: tuple[np.ndarray, ...], validation: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, labels and weights of one part of the names; a big block weighs less than its pairs."""
    x, y, together, held = world
    use = held == validation
    return x[use], y[use], 1 / np.sqrt(together[use])


def read_lists(path: Path) -> Iterator[Paper]:
    """Papers of a conference list, with the list's own ids as keys."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            x = json.loads(line)
            authors = tuple(
                Author(a["name"], (a["affiliation"],) if a.get("affiliation") else ()) for a in x["authors"]
            )
            yield Paper(key=x["id"], authors=authors, year=int(x["year"]), venue=x.get("venue") or "")


def read_core(data: Path) -> tuple[list[Paper], dict[Mention, str]]:
    """The papers with affiliations, and the profile of each mention of the development names."""
    gold = json.loads((data / "authors/dev_mentions.json").read_text(encoding="utf-8"))
    truth = {(paper, place + 1): profile for paper, place, _, profile in gold}
    return list(read_lists(data / "authors/papers.jsonl.gz")), truth


def read_iclr(data: Path) -> tuple[list[Paper], dict[Mention, str]]:
    """ICLR 2026 without identifiers, and the profiles apart."""
    papers, truth = [], {}
    with gzip.open(data / "corpus/iclr2026.jsonl.gz", "rt", encoding="utf-8") as lines:
        for x in map(json.loads, lines):
            names, profiles = x.get("authors") or [], x.get("authorids") or []
            key = f"iclr2026/{x['openreview_id']}"
            people = tuple(map(Author, names))
            places = tuple(x.get("affiliations") or ())
            papers.append(Paper(key=key, authors=people, affiliations=places, year=2026, venue="ICLR"))
            if len(names) == len(profiles):
                truth |= {(key, i): p for i, p in enumerate(profiles, 1) if p.startswith("~")}
    return papers, truth


def without_affiliations(paper: Paper) -> Paper:
    """The paper as a source without affiliations would give it."""
    return replace(paper, authors=tuple(Author(a.name) for a in paper.authors), affiliations=())


def write_counts(papers: Iterable[Paper]) -> None:
    """Counts name parts and affiliation words, the fixed yardsticks of rarity."""
    papers = list(papers)
    names = {a.name for p in papers for a in p.authors}
    save_parts(count_parts(words(n) for n in names if kind_of(n) == "person"), _DATA / "name_parts.json")
    places = {place for p in papers for a in p.authors for place in a.affiliations}
    counts = Counter(w for place in places for w in set(affiliation_words(place)))
    often = {w: n for w, n in counts.items() if n >= _LEAST_AFFILIATIONS}
    save_counts(_DATA / "affiliation_words.json", {"texts": len(places)}, {"words": often})


if __name__ == "__main__":
    main()
