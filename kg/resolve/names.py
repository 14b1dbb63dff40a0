"""Named methods and data sets: which mentions of which papers mean the same thing.

Within one paper extraction has already joined all forms of a name. Between papers two groups join
when their short names have one comparison form (`kg.text.name_key`), or when one of them uses the
long form that exactly one short name stands for. A name that several papers *propose* is several
things: each proposer gets a node of its own, and papers that merely use the name keep the plain
node, marked ambiguous, instead of being given to one proposer by guess.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from msgspec import Struct

from kg.model import Named
from kg.text import digest, fold, name_key, slug

_NEW = frozenset({"proposed", "introduced"})
_LONG_FORM = 12  # letters; shorter aliases are ambiguous too often to join papers


class NamedEntity(Struct):
    """One method or data set of the graph.

    Attributes:
        key: last part of its IRI. label: its most frequent spelling. aliases: all others, sorted.
        ambiguous: True when several papers propose this name and no paper proposes this node.
    """

    key: str
    label: str
    aliases: tuple[str, ...] = ()
    ambiguous: bool = False


class Names(Struct):
    """The outcome for one kind of name.

    Attributes:
        entities: key -> entity. of: (paper key, index in the extraction's list) -> entity key.
        homographs: comparison form -> the entity keys that share it, where there are several.
    """

    entities: dict[str, NamedEntity]
    of: dict[tuple[str, int], str]
    homographs: dict[str, list[str]]


def resolve_names(found: Iterable[tuple[str, tuple[Named, ...]]]) -> Names:
    """Groups the names of all papers into entities.

    Args:
        found: (paper key, the methods or the data sets extraction found in it), any order.
    """
    mentions = [(paper, i, named) for paper, names in found for i, named in enumerate(names)]
    mentions.sort(key=lambda m: (m[0], m[1]))
    canonical = _canonical_forms(named for _, _, named in mentions)
    groups: dict[str, list[tuple[str, int, Named]]] = defaultdict(list)
    for mention in mentions:
        form = name_key(mention[2].name)
        groups[canonical.get(form, form)].append(mention)

    slugs = _slugs(groups)
    entities: dict[str, NamedEntity] = {}
    of: dict[tuple[str, int], str] = {}
    homographs: dict[str, list[str]] = {}
    for form in sorted(groups):
        members = groups[form]
        for key, part, ambiguous in _split(slugs[form], members):
            entities[key] = _entity(key, part, ambiguous)
            of.update({(paper, i): key for paper, i, _ in part})
            homographs.setdefault(form, []).append(key)
    return Names(entities, of, {form: keys for form, keys in homographs.items() if len(keys) > 1})


def _canonical_forms(names: Iterable[Named]) -> dict[str, str]:
    """Comparison forms that are only another way to write a short name, and that name's form."""
    short: Counter[str] = Counter()
    written: dict[str, str] = {}
    owners: dict[str, set[str]] = defaultdict(set)
    for named in names:
        form = name_key(named.name)
        short[form] += 1
        written.setdefault(form, named.name)
        for alias in named.aliases:
            other = name_key(alias)
            if other != form and len(other) >= _LONG_FORM and " " in fold(alias):
                owners[other].add(form)
    joined = {}
    for form, name in written.items():
        # "ECBMs" beside "ECBM": the plural of an acronym, never of a word ("Maps").
        if form.endswith("s") and name.endswith("s") and name[-2:-1].isupper() and form[:-1] in short:
            joined[form] = form[:-1]
        elif len(owners.get(form, ())) == 1:
            joined[form] = next(iter(owners[form]))
    return {form: joined.get(target, target) for form, target in joined.items()}


def _slugs(groups: Iterable[str]) -> dict[str, str]:
    """An IRI key for each comparison form; different forms never share one."""
    wanted: dict[str, list[str]] = defaultdict(list)
    for form in groups:
        wanted[slug(form) or digest(form, length=8)].append(form)
    return {
        form: key if len(forms) == 1 or form == key else f"{key}-{digest(form, length=6)}"
        for key, forms in wanted.items()
        for form in forms
    }


def _split(
    key: str, members: list[tuple[str, int, Named]]
) -> Iterator[tuple[str, list[tuple[str, int, Named]], bool]]:
    """One group, or one for each proposer and one for the papers that merely use the name."""
    proposers = sorted({paper for paper, _, named in members if named.role in _NEW})
    if len(proposers) < 2:
        yield key, members, False
        return
    for proposer in proposers:
        own = [m for m in members if m[0] == proposer]
        yield f"{key}-{digest(proposer, length=6)}", own, False
    rest = [m for m in members if m[0] not in set(proposers)]
    if rest:
        yield key, rest, True


def _entity(key: str, members: list[tuple[str, int, Named]], ambiguous: bool) -> NamedEntity:
    spellings = Counter(named.name for _, _, named in members)
    label = min(spellings, key=lambda s: (-spellings[s], s))
    others = {a for _, _, named in members for a in (named.name, *named.aliases)} - {label}
    return NamedEntity(key, label, tuple(sorted(others)), ambiguous)
