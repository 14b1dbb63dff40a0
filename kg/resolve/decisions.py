"""What resolution joined and kept apart, and why: people from their own log, methods and data sets from the outcome."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from msgspec import Struct

from kg.resolve.forms import long_form, name_form, shortens, without_head
from kg.resolve.names import NamedEntity, Names
from kg.resolve.people import People
from kg.resolve.resolve import Resolved

_KINDS = {"method": "method", "dataset": "data set"}
Groups = dict[str, Counter[str]]  # entity key -> how often papers call it by each name


class Told(Struct, frozen=True):
    """One decision for people to read.

    Attributes:
        verdict: "joined" or "kept apart". kind: "person", "method" or "data set". what: the names concerned.
        probability: that both sides are one; None where rules without a number decided.
        why: what it rests on. against: what spoke against it. entities: addresses, as `id:…`.
    """

    verdict: str
    kind: str
    what: str
    why: str
    against: str = ""
    probability: float | None = None
    entities: tuple[str, ...] = ()


def told_people(people: People, top: int) -> list[Told]:
    """Joins, then refusals, of people: `top` of each, evenly from the most doubtful to the surest."""
    found = []
    for verdict in ("joined", "kept apart"):
        chosen = [i for i, made in enumerate(people.decisions) if made.verdict == verdict]
        for i in chosen[:: max(len(chosen) // top, 1)][:top]:
            made = people.decisions[i]
            found.append(
                Told(
                    verdict,
                    "person",
                    " | ".join(made.pair.names),
                    f"{made.why}; {'; '.join(made.pair.speaks_for) or 'nothing'}",
                    "; ".join(made.pair.speaks_against),
                    made.probability,
                    tuple(f"id:person/{key}" for key in made.persons),
                )
            )
    return found


def told_names(resolved: Resolved, top: int) -> list[Told]:
    """Joins, then refusals, of methods and data sets: `top` of each, those that concern most papers first."""
    joined, apart = [], []
    for kind, names in (("method", resolved.methods), ("dataset", resolved.datasets)):
        lists = [getattr(e, f"{kind}s") for e in resolved.extractions]
        groups: Groups = defaultdict(Counter)
        longs: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        for paper, found in zip(resolved.papers, lists, strict=True):
            for i, named in enumerate(found):
                key = names.of[paper.key, i]
                groups[key][named.name] += 1
                longs[key].update(long_form(a) for a in named.aliases)
        joined += _joins(kind, names, groups, longs)
        apart += _refusals(kind, names, groups, {p.key: p.title or p.key for p in resolved.papers})
    order = sorted(joined, key=lambda t: (-t[0], t[1].what)), sorted(apart, key=lambda t: (-t[0], t[1].what))
    return [told for some in order for _, told in some[:top]]


def _joins(kind: str, names: Names, groups: Groups, longs: dict[str, set[tuple[str, ...]]]) -> list[tuple[int, Told]]:
    """(papers that write the rarer name, decision) for every two names of one entity that are not written alike."""
    found = []
    for key, written in groups.items():
        label = names.entities[key].label
        others: Counter[str] = Counter()
        shown: dict[str, str] = {}
        for name in sorted(written, key=lambda n: (-written[n], n)):
            if name_form(name) != name_form(label):
                others[name_form(name)] += written[name]
                shown.setdefault(name_form(name), name)
        for form, n in others.items():
            why = _why_one(label, shown[form], kind, longs[key])
            what = f"{label} | {shown[form]}"
            address = (f"id:{kind}/{key}",)
            found.append((n, Told("joined", _KINDS[kind], what, f"{why}; {n} papers write it so", entities=address)))
    return found


def _why_one(label: str, other: str, kind: str, longs: set[tuple[str, ...]]) -> str:
    short, long = sorted((label, other), key=len)
    a, b = name_form(short), name_form(long)
    if without_head(long, kind) == a or (without_head(short, kind) or a) == (without_head(long, kind) or b):
        return "a common noun stands behind it"
    if b in (f"{a}s", f"{a}es"):
        return "one is the plural of the other"
    if shortens(short, long):
        return "papers say that one is the other cut short"
    if long_form(long) in longs or long_form(short) in longs:
        return f"papers give the long form beside {short}"
    return "papers that call it so give the same long form"


def _refusals(kind: str, names: Names, groups: Groups, titles: dict[str, str]) -> list[tuple[int, Told]]:
    """(papers that use the name, decision) for every name with several bearers."""
    found = []
    for keys in names.homographs.values():
        entities = [names.entities[k] for k in keys if groups.get(k)]
        known = sorted((e for e in entities if not e.ambiguous), key=lambda e: (-groups[e.key].total(), e.key))
        if len(entities) < 2 or not known:
            continue
        why = "; ".join(_meaning(e, groups[e.key].total(), titles) for e in known[:3])
        why += f"; and {len(known) - 3} more" if len(known) > 3 else ""
        unclear = sum(groups[e.key].total() for e in entities if e.ambiguous)
        against = f"of {unclear} papers it is not known which they mean" if unclear else ""
        address = tuple(f"id:{kind}/{e.key}" for e in (*known[:3], *(e for e in entities if e.ambiguous)))
        told = Told("kept apart", _KINDS[kind], known[0].label, why, against, entities=address)
        found.append((sum(groups[e.key].total() for e in entities), told))
    return found


def _meaning(entity: NamedEntity, papers: int, titles: dict[str, str]) -> str:
    """What one bearer of a name is, in words."""
    long = next((a for a in sorted(entity.aliases, key=str.isupper) if long_form(a)), "")
    said = f"“{long}”" if long else "a name without a long form"
    by = f", given by “{titles[entity.coiner]}”" if entity.coiner in titles else ""
    return f"{said}{by} ({papers} paper{'s' if papers != 1 else ''})"


def tell(found: Sequence[Told]) -> list[str]:
    """The decisions as lines for people."""
    lines = []
    for n, told in enumerate(found, 1):
        sure = f", probability {told.probability:.2f} of being one" if told.probability is not None else ""
        lines.append(f"{n}. {told.verdict}, {told.kind}: {told.what}{sure}  ({', '.join(told.entities)})")
        lines.append(
            f"     for: {told.why}" if told.verdict == "joined" or told.kind == "person" else f"     {told.why}"
        )
        if told.against:
            lines.append(f"     against: {told.against}" if told.kind == "person" else f"     {told.against}")
    return lines
